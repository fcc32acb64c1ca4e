# frozen_string_literal: true

module Fastlane
  module Actions
    module SharedValues
      AGATE_BUILD = :AGATE_BUILD
      AGATE_INSTALL_URL = :AGATE_INSTALL_URL
    end

    # Uploads a build. A refused upload fails the lane.
    class AgateUploadAction < Action
      OPTIONS = %i[channel notes notes_file notes_from_git silent version build_number platform branch commit ci_url
                   no_ci_metadata no_commits parallel retry_for expect_installable fail_on_warning].freeze

      def self.run(params)
        file = params[:file] || lane_context[:IPA_OUTPUT_PATH] || lane_context[:GRADLE_APK_OUTPUT_PATH]
        UI.user_error!('There is no build. Set file, or build the app first.') if file.nil?

        build = Agate::Options.command_line(params)
                              .run('upload', *Agate::Options.arguments(params, *OPTIONS), File.expand_path(file))
        lane_context[SharedValues::AGATE_BUILD] = build
        lane_context[SharedValues::AGATE_INSTALL_URL] = build['install_url']
        UI.success("Uploaded #{build['file_name']}: #{build['install_url'] || build['id']}")
        build
      rescue Agate::CommandFailed => e
        UI.user_error!(e.message) if params[:fail_on_error]
        UI.error(e.message)
        nil
      end

      def self.description
        'Uploads a build to Agate and promotes it to channels'
      end

      def self.details
        'Resumes an interrupted upload when the lane runs again. Branch, commit and address of the job are those of the CI.'
      end

      def self.authors
        ['The Agate authors']
      end

      def self.return_value
        'The build as the API returns it, with install_url, warnings and releases. nil after a failure with fail_on_error: false'
      end

      def self.output
        [['AGATE_BUILD', 'The build as the API returns it'], ['AGATE_INSTALL_URL', 'The address of the install page']]
      end

      def self.is_supported?(platform)
        %i[ios android mac].include?(platform)
      end

      def self.category
        :beta
      end

      def self.available_options
        text = Agate::Options.method(:text)
        switch = Agate::Options.method(:switch)
        Agate::Options.connection + [
          text.call(:file, 'Path of the build. Default: the output of build_app or gradle'),
          Agate::Options.list(:channel, 'Names or ids of the channels that get the build'),
          text.call(:notes, 'What to test'),
          text.call(:notes_file, 'Path of a file with the notes'),
          switch.call(:notes_from_git, 'Take the messages of the commits since the last build of the branch as notes'),
          switch.call(:silent, 'Send no mails to testers'),
          text.call(:version, 'Version, for files that do not contain one', env_name: 'AGATE_APP_VERSION'),
          text.call(:build_number, 'Build number, for files that do not contain one', env_name: 'AGATE_APP_BUILD_NUMBER'),
          text.call(:platform, 'Platform, for files that do not contain it'),
          text.call(:branch, 'Branch. Default: that of the CI'),
          text.call(:commit, 'Commit. Default: that of the CI'),
          text.call(:ci_url, 'Address of the CI job. Default: that of the CI'),
          switch.call(:no_ci_metadata, 'Send no branch, commit and address of the job'),
          switch.call(:no_commits, 'Send no list of the commits since the last build of the branch and platform'),
          text.call(:parallel, 'Number of parts that are sent at the same time'),
          text.call(:retry_for, 'How long to repeat requests that fail for a while, such as 15m'),
          switch.call(:expect_installable, 'Fail when devices cannot install the build'),
          switch.call(:fail_on_warning, 'Fail on any warning'),
          switch.call(:fail_on_error, 'Fail the lane when the upload fails', default: true)
        ]
      end

      def self.example_code
        ['agate_upload(url: "https://agate.example.com", channel: ["Beta"])']
      end
    end
  end
end
