# frozen_string_literal: true

module Fastlane
  module Agate
    # The version of the service that the plugin belongs to. It works with others of the same major version.
    VERSION = '0.2.0'
  end
end
