import unittest

from waybill_client import WebhookError, WebhookMessage, verify_webhook

# The example that the reference libraries of Standard Webhooks are tested with.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
BODY = b'{"test": 2432232314}'
SIGNED = 1614265330
HEADERS = {
    "Webhook-Id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "Webhook-Timestamp": str(SIGNED),
    "Webhook-Signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}


class TestVerify(unittest.TestCase):
    def test_accepts_what_is_signed(self) -> None:
        message = WebhookMessage(HEADERS["Webhook-Id"], SIGNED)
        several = HEADERS | {"Webhook-Signature": "v1,AAAA v1a,BBBB " + HEADERS["Webhook-Signature"]}
        self.assertEqual(verify_webhook(SECRET, HEADERS, BODY, SIGNED), message)
        self.assertEqual(verify_webhook([OTHER, SECRET], HEADERS, BODY, SIGNED + 300), message)
        self.assertEqual(verify_webhook(SECRET, several, BODY, SIGNED - 300), message)

    def test_refuses_everything_else(self) -> None:
        for name, secret, headers, body, now in [
            ("late", SECRET, HEADERS, BODY, SIGNED + 301),
            ("early", SECRET, HEADERS, BODY, SIGNED - 301),
            ("another body", SECRET, HEADERS, BODY + b" ", SIGNED),
            ("another secret", OTHER, HEADERS, BODY, SIGNED),
            ("another message", SECRET, HEADERS | {"Webhook-Id": "msg_2"}, BODY, SIGNED),
            ("another time", SECRET, HEADERS | {"Webhook-Timestamp": str(SIGNED + 1)}, BODY, SIGNED),
            ("another scheme", SECRET, HEADERS | {"Webhook-Signature": "v2,g0hM9SsE"}, BODY, SIGNED),
            ("no signature", SECRET, HEADERS | {"Webhook-Signature": ""}, BODY, SIGNED),
            ("no time", SECRET, HEADERS | {"Webhook-Timestamp": "today"}, BODY, SIGNED),
        ]:
            with self.subTest(name), self.assertRaises(WebhookError):
                verify_webhook(secret, headers, body, now)

    def test_refuses_what_is_no_secret(self) -> None:
        for secret in ["", "whsec_", "whsec_not base64"]:
            with self.subTest(secret), self.assertRaises(ValueError):
                verify_webhook(secret, HEADERS, BODY, SIGNED)
