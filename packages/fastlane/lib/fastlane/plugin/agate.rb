# frozen_string_literal: true

require_relative 'agate/version'
require_relative 'agate/command_line'
require_relative 'agate/options'

module Fastlane
  module Agate
    # fastlane loads these files when it loads its actions.
    def self.all_classes
      Dir[File.expand_path('agate/actions/*.rb', __dir__)].sort
    end
  end
end

Fastlane::Agate.all_classes.each { |file| require file }
