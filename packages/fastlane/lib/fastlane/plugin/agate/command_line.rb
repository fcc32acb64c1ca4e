# frozen_string_literal: true

require 'json'
require 'net/http'
require 'open3'
require 'shellwords'
require 'uri'

module Fastlane
  module Agate
    # A command that failed, with its exit code: 3 refused, 4 not allowed, 5 not found, 6 no credit, 7 trying again can help.
    class CommandFailed < StandardError
      attr_reader :code

      def initialize(message, code)
        super(message)
        @code = code
      end
    end

    # Runs the command line `agate`: the one that AGATE_CLI names, the one of PATH, or the one that the service offers through npx.
    class CommandLine
      TIMEOUT_SECONDS = 30
      # Where a token may be sent: over https, or within this machine.
      SAFE = %r{\Ahttps://|\Ahttp://(localhost|127\.0\.0\.1|\[::1\])([:/]|\z)}.freeze

      # log is called with each line that explains what happens.
      def initialize(url:, token:, organization: nil, project: nil, &log)
        @url = url.to_s.chomp('/')
        raise CommandFailed.new("Use https: others can read what is sent to #{@url}.", 2) unless @url.match?(SAFE)

        @log = log
        @variables = {
          'AGATE_URL' => @url,
          'AGATE_TOKEN' => token,
          'AGATE_ORGANIZATION' => organization,
          'AGATE_PROJECT' => project
        }.compact
      end

      # Runs a command with --json and returns what it printed. The token is a variable: arguments are visible to all users.
      def run(*arguments)
        output, status = execute([*program, *arguments, '--json'])
        document = JSON.parse(output)
        return document if status.success?

        # A terminal must not act on the message, which may come from another server.
        raise CommandFailed.new(document['message'].gsub(/[[:cntrl:]]/) { |each| each.dump[1..-2] }, status.exitstatus)
      rescue JSON::ParserError
        raise CommandFailed.new("The command line printed no JSON and ended with #{status.exitstatus}.", 1)
      end

      private

      def execute(command)
        Open3.popen3(@variables, *command) do |input, output, errors, process|
          input.close
          talk = Thread.new { errors.each_line { |line| @log&.call(line.chomp) } }
          text = output.read
          talk.join
          [text, process.value]
        end
      rescue Errno::ENOENT, Errno::EACCES => e
        raise CommandFailed.new("The command line cannot be started: #{e.message}. Correct AGATE_CLI.", 2)
      end

      def program
        named = ENV.fetch('AGATE_CLI', '')
        return named.end_with?('.mjs') ? ['node', named] : Shellwords.split(named) unless named.empty?
        return ['agate'] if in_path?('agate')
        raise CommandFailed.new('Install Node.js, or set AGATE_CLI to the command line agate.', 2) unless in_path?('npx')

        ['npx', '--yes', "#{@url}/cli/#{offered}"]
      end

      def in_path?(name)
        ENV.fetch('PATH', '').split(File::PATH_SEPARATOR).any? { |folder| File.executable?(File.join(folder, name)) }
      end

      # The package that the service offers has the version of the service.
      def offered
        text = get(URI("#{@url}/cli/SHA256SUMS"))
        text[/agate-\S+\.tgz/] || raise(CommandFailed.new("#{@url} offers no command line. Set AGATE_CLI.", 2))
      end

      def get(address)
        proxy = address.find_proxy
        http = Net::HTTP.new(address.host, address.port, proxy&.host, proxy&.port, proxy&.user, proxy&.password)
        http.use_ssl = address.scheme == 'https'
        http.open_timeout = http.read_timeout = TIMEOUT_SECONDS
        response = http.get(address.request_uri)
        response.is_a?(Net::HTTPSuccess) ? response.body : ''
      rescue SystemCallError, SocketError, Timeout::Error, OpenSSL::SSL::SSLError => e
        raise CommandFailed.new("#{@url} cannot be reached: #{e.message}", 7)
      end
    end
  end
end
