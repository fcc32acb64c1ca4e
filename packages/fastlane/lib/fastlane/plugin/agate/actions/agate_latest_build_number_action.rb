# frozen_string_literal: true

module Fastlane
  module Actions
    module SharedValues
      AGATE_LATEST_BUILD_NUMBER = :AGATE_LATEST_BUILD_NUMBER
    end

    # Finds the build number of the newest build, so that the next one is higher.
    class AgateLatestBuildNumberAction < Action
      NOT_FOUND = 5

      def self.run(params)
        number = Integer(latest(params)['build_number'].to_s, 10)
        lane_context[SharedValues::AGATE_LATEST_BUILD_NUMBER] = number
      rescue ArgumentError
        UI.user_error!('The build number of the newest build is not a whole number.')
      rescue Agate::CommandFailed => e
        UI.user_error!(e.message) unless e.code == NOT_FOUND
        lane_context[SharedValues::AGATE_LATEST_BUILD_NUMBER] = params[:initial_build_number]
      end

      def self.latest(params)
        Agate::Options.command_line(params)
                      .run('latest', *Agate::Options.arguments(params, :platform, :branch, :channel))
      end

      def self.description
        'Returns the build number of the newest build on Agate'
      end

      def self.authors
        ['The Agate authors']
      end

      def self.return_value
        'The build number as an integer'
      end

      def self.output
        [['AGATE_LATEST_BUILD_NUMBER', 'The build number of the newest build']]
      end

      def self.is_supported?(_platform)
        true
      end

      def self.category
        :misc
      end

      def self.available_options
        Agate::Options.connection + [
          Agate::Options.text(:platform, 'Platform of the build, such as ios'),
          Agate::Options.text(:branch, 'Branch of the build'),
          Agate::Options.text(:channel, 'Name or id of the channel whose current build counts'),
          FastlaneCore::ConfigItem.new(key: :initial_build_number, env_name: 'AGATE_INITIAL_BUILD_NUMBER',
                                       description: 'What to return when there is no build', optional: true,
                                       type: Integer, default_value: 0)
        ]
      end

      def self.example_code
        ['increment_build_number(build_number: agate_latest_build_number(platform: "ios") + 1)']
      end
    end
  end
end
