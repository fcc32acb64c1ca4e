# Receives webhooks with Ruby's own libraries. WEBHOOK_SECRET=whsec_... PORT=8080 ruby receiver.rb
require "json"
require "openssl"
require "socket"

KEY = ENV.fetch("WEBHOOK_SECRET").delete_prefix("whsec_").unpack1("m")

# Returns the event, or nil when it was not signed with the secret within the last five minutes.
def verified(headers, body)
  id, sent_at = headers["webhook-id"].to_s, headers["webhook-timestamp"].to_s
  return unless sent_at.match?(/\A\d+\z/) && (Time.now.to_i - sent_at.to_i).abs <= 300
  expected = "v1," + [OpenSSL::HMAC.digest("SHA256", KEY, "#{id}.#{sent_at}.".b + body)].pack("m0")
  given = headers["webhook-signature"].to_s.split(" ")
  JSON.parse(body) if given.any? { |one| OpenSSL.secure_compare(expected, one) }
end

server = TCPServer.new("127.0.0.1", Integer(ENV.fetch("PORT", 8080)))
loop do
  Thread.start(server.accept) do |client|
    client.gets
    headers = {}
    while (line = client.gets.to_s.chomp) != ""
      name, value = line.split(":", 2)
      headers[name.downcase] = value.to_s.strip
    end
    event = verified(headers, client.read(headers["content-length"].to_i).to_s)
    if event
      puts "#{headers["webhook-id"]} #{event["type"]}"
      $stdout.flush
    end
    client.write("HTTP/1.1 #{event ? "204 No Content" : "401 Unauthorized"}\r\nConnection: close\r\n\r\n")
  ensure
    client.close
  end
end
