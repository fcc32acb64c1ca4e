<?php
// Receives webhooks with PHP's own functions. WEBHOOK_SECRET=whsec_... php -S 127.0.0.1:8080 receiver.php

/** Returns the event, or null when it was not signed with the secret within the last five minutes. */
function verified(string $id, string $sentAt, string $signatures, string $body): ?array
{
    if (!ctype_digit($sentAt) || abs(time() - (int) $sentAt) > 300) {
        return null;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', getenv('WEBHOOK_SECRET')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$sentAt.$body", $key, true));
    foreach (explode(' ', $signatures) as $given) {
        if (hash_equals($expected, $given)) {
            return json_decode($body, true);
        }
    }
    return null;
}

$event = verified(
    $_SERVER['HTTP_WEBHOOK_ID'] ?? '',
    $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '',
    $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '',
    file_get_contents('php://input'),
);
http_response_code($event === null ? 401 : 204);
if ($event !== null) {
    file_put_contents('php://stdout', "{$_SERVER['HTTP_WEBHOOK_ID']} {$event['type']}\n");
}
