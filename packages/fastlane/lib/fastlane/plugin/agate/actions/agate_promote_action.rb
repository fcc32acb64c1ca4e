# frozen_string_literal: true

module Fastlane
  module Actions
    # Promotes a build to channels.
    class AgatePromoteAction < Action
      def self.run(params)
        build = params[:build] || (lane_context[:AGATE_BUILD] || {})['id']
        UI.user_error!('There is no build. Set build, or call agate_upload first.') if build.nil?
        UI.user_error!('There is no channel. Set channel.') if Array(params[:channel]).empty?

        Agate::Options.command_line(params)
                      .run('promote', *Agate::Options.arguments(params, :channel, :notes, :silent), build)
      rescue Agate::CommandFailed => e
        UI.user_error!(e.message)
      end

      def self.description
        'Promotes a build on Agate to channels'
      end

      def self.authors
        ['The Agate authors']
      end

      def self.return_value
        'The releases as the API gives them'
      end

      def self.is_supported?(_platform)
        true
      end

      def self.category
        :beta
      end

      def self.available_options
        Agate::Options.connection + [
          Agate::Options.text(:build, 'Id of the build, latest, latest:android, or a commit. Default: the build of agate_upload'),
          Agate::Options.list(:channel, 'Names or ids of the channels that get the build'),
          Agate::Options.text(:notes, 'What to test. Default: the notes of the build'),
          Agate::Options.switch(:silent, 'Send no mails to testers')
        ]
      end

      def self.example_code
        ['agate_promote(build: "latest:ios", channel: ["Customers"])']
      end
    end
  end
end
