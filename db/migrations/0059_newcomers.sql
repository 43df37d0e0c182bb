-- Somebody who came from a provider and has still to choose a username (D103): what the provider said, as JSON. Bound to the
-- browser like other attempts, which are null here.
alter table provider_attempts add column person text;
create index provider_attempts_newcomer on provider_attempts (browser_hash) where person is not null;

-- Who asks to join without a password: as whom, at a provider.
alter table join_requests add column issuer text;
alter table join_requests add column subject text;
alter table join_requests add column identity_name text not null default '';
create unique index join_requests_identity on join_requests (issuer, subject) where issuer is not null;
