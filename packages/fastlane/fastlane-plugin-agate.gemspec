# frozen_string_literal: true

require_relative 'lib/fastlane/plugin/agate/version'

Gem::Specification.new do |spec|
  spec.name = 'fastlane-plugin-agate'
  spec.version = Fastlane::Agate::VERSION
  spec.summary = 'Uploads builds to Agate and promotes them to channels'
  spec.authors = ['The Agate authors']
  spec.license = 'Apache-2.0'
  spec.required_ruby_version = '>= 2.7'
  spec.files = Dir['lib/**/*.rb'] + ['README.md']
  spec.require_paths = ['lib']
  spec.metadata['rubygems_mfa_required'] = 'true'
end
