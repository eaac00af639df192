-- Credentials of users, and the limits on guessing them.

-- name: BeginTry :one
-- Counts a try as a failure before it is made, so that tries at the same moment
-- all count. No row while the subject has to pause. The pause doubles with each
-- failure past the free ones, up to the longest.
INSERT INTO sign_in_failures AS f (subject, failures, next_try_at)
VALUES (@subject, 1, @at::timestamptz)
ON CONFLICT (subject) DO UPDATE SET
    failures = CASE WHEN f.next_try_at < @forget::timestamptz THEN 1 ELSE f.failures + 1 END,
    next_try_at = sign_in_pause(f.failures + 1, @free::int, @longest::int, @at::timestamptz)
WHERE f.next_try_at <= @at::timestamptz
RETURNING f.failures;

-- name: NextTry :one
SELECT next_try_at FROM sign_in_failures WHERE subject = @subject;

-- name: EndTries :exec
-- Resets the failures after a sign-in.
DELETE FROM sign_in_failures WHERE subject = @subject;

-- name: UndoTry :exec
UPDATE sign_in_failures SET failures = greatest(failures - 1, 0) WHERE subject = @subject;

-- name: CreateChallenge :exec
WITH gone AS (DELETE FROM sign_in_challenges WHERE expires_at < @at::timestamptz)
INSERT INTO sign_in_challenges (id, purpose, data, tries_left, expires_at)
VALUES (@id, @purpose, @data, @tries::smallint, @expires_at);

-- name: TakeChallenge :one
-- Uses one of the tries of a challenge; its row is deleted with the last.
WITH used AS (
    UPDATE sign_in_challenges SET tries_left = tries_left - 1
    WHERE id = @id AND purpose = @purpose AND expires_at > @at::timestamptz AND tries_left > 0
    RETURNING data
)
SELECT data FROM used;

-- name: EndChallenge :exec
DELETE FROM sign_in_challenges WHERE id = @id;

-- name: CreateAccountCode :exec
INSERT INTO account_codes (org_id, purpose, public_part, hash, user_id, driver_id, tries_left, created_at, expires_at)
VALUES (@org_id, @purpose, @public_part, @hash, nullif(@user_id::bigint, 0), nullif(@driver_id::bigint, 0),
    @tries_left, @at::timestamptz, @expires_at);

-- name: UseAccountCode :one
-- Uses a code up, once.
UPDATE account_codes SET used_at = @at::timestamptz
WHERE org_id = @org_id AND id = @id AND used_at IS NULL AND expires_at > @at RETURNING id;

-- name: EndAccountCodes :exec
-- Ends the codes that a user or driver still has: those of a purpose, or all.
UPDATE account_codes SET used_at = @at::timestamptz
WHERE org_id = @org_id AND used_at IS NULL AND (@purpose::text = '' OR purpose = @purpose)
  AND (user_id = nullif(@user_id::bigint, 0) OR driver_id = nullif(@driver_id::bigint, 0));

-- name: PutPhoneCode :exec
-- Replaces the code of a request.
INSERT INTO account_codes (org_id, purpose, public_part, hash, driver_id, created_at, expires_at)
VALUES (@org_id, 'phone', @request, @hash, @driver_id::bigint, @at::timestamptz, @expires_at)
ON CONFLICT (public_part) DO UPDATE SET hash = EXCLUDED.hash, expires_at = EXCLUDED.expires_at
WHERE account_codes.used_at IS NULL AND account_codes.org_id = EXCLUDED.org_id;

-- name: DriversByPhone :many
-- At most two: a number with several drivers identifies none.
SELECT id FROM drivers WHERE org_id = @org_id AND phone_number = @number::text AND is_active ORDER BY id LIMIT 2;

-- name: PutTOTPSeed :exec
INSERT INTO totp_seeds (org_id, user_id, seed) VALUES (@org_id, @user_id, @seed)
ON CONFLICT (org_id, user_id) DO UPDATE SET seed = EXCLUDED.seed, confirmed_at = NULL, last_step = 0;

-- name: TOTPSeed :one
SELECT seed, confirmed_at, last_step FROM totp_seeds WHERE org_id = @org_id AND user_id = @user_id FOR UPDATE;

-- name: UseTOTPStep :one
-- Marks a step as used; no row when it, or a later one, was used before.
UPDATE totp_seeds SET last_step = @step::bigint, confirmed_at = coalesce(confirmed_at, @at::timestamptz)
WHERE org_id = @org_id AND user_id = @user_id AND last_step < @step RETURNING user_id;

-- name: RemoveTOTP :execrows
WITH codes AS (DELETE FROM recovery_codes r WHERE r.org_id = @org_id AND r.user_id = @user_id)
DELETE FROM totp_seeds t WHERE t.org_id = @org_id AND t.user_id = @user_id;

-- name: PutRecoveryCodes :exec
WITH gone AS (DELETE FROM recovery_codes r WHERE r.org_id = @org_id AND r.user_id = @user_id)
INSERT INTO recovery_codes (org_id, user_id, hash) SELECT @org_id, @user_id, unnest(@hashes::bytea[]);

-- name: UseRecoveryCode :one
UPDATE recovery_codes SET used_at = @at::timestamptz
WHERE org_id = @org_id AND user_id = @user_id AND hash = @hash AND used_at IS NULL RETURNING user_id;

-- name: ListPasskeys :many
SELECT id, credential, name, created_at, last_used_at FROM passkeys
WHERE org_id = @org_id AND user_id = @user_id ORDER BY id LIMIT 100;

-- name: CreatePasskey :one
INSERT INTO passkeys (org_id, user_id, credential_id, credential, name, created_at)
VALUES (@org_id, @user_id, @credential_id, @credential, @name, @at::timestamptz) RETURNING id;

-- name: UsePasskey :exec
UPDATE passkeys SET credential = @credential, last_used_at = @at::timestamptz
WHERE org_id = @org_id AND user_id = @user_id AND credential_id = @credential_id;

-- name: RemovePasskey :execrows
DELETE FROM passkeys WHERE org_id = @org_id AND user_id = @user_id AND id = @id;
