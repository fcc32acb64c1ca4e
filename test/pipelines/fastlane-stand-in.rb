# frozen_string_literal: true

# Runs one action of the plugin with a stand-in for the classes of fastlane that it uses:
#   ruby fastlane-stand-in.rb '{"action": "agate_upload", "params": {…}, "lane_context": {…}}'
# Prints {"result", "lane_context", "messages", "error"} as JSON.
require 'json'

module FastlaneCore
  ConfigItem = Struct.new(:key, :env_name, :description, :optional, :type, :default_value, :sensitive, keyword_init: true) do
    def convert(value)
      return value.is_a?(String) ? value.split(',') : value if type == Array
      return [true, 'true', '1', 'yes'].include?(value) if type == Fastlane::Boolean && !value.nil?

      raise "'#{key}' value must be a #{type}! Found #{value.class} instead." unless value.nil? || value.is_a?(type)

      value
    end
  end

  module UI
    MESSAGES = []
    Error = Class.new(StandardError)
    %i[message success error].each { |name| define_singleton_method(name) { |text| MESSAGES << [name, text] } }
    define_singleton_method(:user_error!) { |text| raise Error, text }
  end
end

module Fastlane
  Boolean = Class.new
  UI = FastlaneCore::UI

  module Actions
    LANE_CONTEXT = {}

    class Action
      def self.lane_context
        LANE_CONTEXT
      end
    end
  end
end

# Values are those of the lane, of the variable, or the default, in this order.
def configuration(items, given)
  unknown = given.keys - items.map(&:key)
  raise "Could not find option '#{unknown.first}' in the list of available options" if unknown.any?

  items.to_h do |item|
    value = item.convert(given.fetch(item.key) { ENV.fetch(item.env_name, item.default_value) })
    raise "No value found for '#{item.key}'" if value.nil? && !item.optional

    [item.key, value]
  end
end

require_relative '../../packages/fastlane/lib/fastlane/plugin/agate'

request = JSON.parse(ARGV.fetch(0))
Fastlane::Actions::LANE_CONTEXT.merge!(request.fetch('lane_context', {}).transform_keys(&:to_sym))
action = Fastlane::Actions.const_get("#{request['action'].split('_').map(&:capitalize).join}Action")
begin
  result = action.run(configuration(action.available_options, request.fetch('params', {}).transform_keys(&:to_sym)))
rescue StandardError => e
  error = e.message
end
puts JSON.generate(result: result, lane_context: Fastlane::Actions::LANE_CONTEXT, messages: FastlaneCore::UI::MESSAGES, error: error)
