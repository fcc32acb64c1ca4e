# frozen_string_literal: true

module Fastlane
  module Agate
    # The options of the actions. Each can also be given as a variable.
    module Options
      module_function

      def text(key, description, **more)
        FastlaneCore::ConfigItem.new(key: key, env_name: "AGATE_#{key.to_s.upcase}", description: description,
                                     optional: true, type: String, **more)
      end

      def switch(key, description, default: false)
        FastlaneCore::ConfigItem.new(key: key, env_name: "AGATE_#{key.to_s.upcase}", description: description,
                                     optional: true, type: Fastlane::Boolean, default_value: default)
      end

      def list(key, description)
        FastlaneCore::ConfigItem.new(key: key, env_name: "AGATE_#{key.to_s.upcase}", description: description,
                                     optional: true, type: Array)
      end

      # The service and the project. A project access token knows its project.
      def connection
        [
          text(:url, 'Address of the service, such as https://agate.example.com', optional: false),
          text(:token, 'Project access token', optional: false, sensitive: true),
          text(:organization, 'Name or id of the organization'),
          text(:project, 'Name or id of the project')
        ]
      end

      # Arguments such as --build-number=42 for the options that are set. A list is one argument for each value.
      def arguments(params, *keys)
        keys.flat_map do |key|
          flag = "--#{key.to_s.tr('_', '-')}"
          case value = params[key]
          when nil, false, '' then []
          when true then [flag]
          else Array(value).map { |each| "#{flag}=#{each}" }
          end
        end
      end

      def command_line(params)
        CommandLine.new(**%i[url token organization project].to_h { |key| [key, params[key]] }) do |line|
          FastlaneCore::UI.message(line)
        end
      end
    end
  end
end
