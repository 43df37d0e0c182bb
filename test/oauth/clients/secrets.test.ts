import { expect, spyOn, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashPassword, passwordMatches } from '../../../src/accounts/account/password'
import { createToken } from '../../../src/accounts/token'
import { checkSecret, type SecretKind } from '../../../src/lib/secret'
import { type Body, cheapPasswords, createInstance, type Instance, withToken } from '../../support/instance'
import {
  answerOf,
  authorizeUrl,
  codeFor,
  consentInputs,
  errorOf,
  exchange,
  pkce,
  postAs,
  registerClient,
  verifier,
} from '../../support/oauth'
import { createMember } from '../../support/visitor'

/** Runs a whole flow, refusals included; returns every secret in it, by kind. */
async function walk(kiroku: Instance) {
  const { deps, ask } = kiroku
  const client = await registerClient(kiroku)
  const personal = (await createToken(deps, { userId: 1, description: 'x', scope: 'read' })).token
  const mio = await createMember(kiroku, 'mio')
  const state = 'a state that is nobody else’s'
  const target = authorizeUrl(client, { ...pkce, state })
  const asked = consentInputs(await mio.open(target))
  const stranger = await kiroku.ask(target)
  await kiroku.ask(stranger.headers.get('location') ?? '')
  const { code = '' } = answerOf(await mio.post('/oauth/authorize', { ...asked, decision: 'approve' }))
  const good = { ...exchange(client, code), code_verifier: verifier }
  await postAs(kiroku, `/oauth/token?code=${code}&client_secret=${client.secret}&code_verifier=${verifier}`, {
    grant_type: good.grant_type,
    client_id: client.uid,
    redirect_uri: good.redirect_uri,
  })
  await postAs(kiroku, '/oauth/token', { ...good, client_secret: 'wrong' })
  const { access_token } = (await (await postAs(kiroku, '/oauth/token', good)).json()) as Body
  await ask(`/v1/works?access_token=${access_token}`)
  await ask('/oauth/token/info', withToken(access_token))
  await postAs(kiroku, '/oauth/token', good)
  const revoking = { client_id: client.uid, client_secret: client.secret, token: personal }
  await postAs(kiroku, '/oauth/revoke', revoking, { authorization: `Bearer ${personal}` })
  await mio.post('/oauth/authorize', { ...asked, csrf: 'wrong', decision: 'approve' })
  const session = mio.cookies.get('sid_3000') ?? ''
  const { csrf = '', request = '' } = asked
  return { code, access_token, secret: client.secret, personal, session, request, csrf, state, verifier }
}

test('ST-01, §2.7: after a whole flow no secret is in the database, its write-ahead log or our log', async () => {
  const kiroku = await createInstance()
  const { state, ...secrets } = await walk(kiroku)
  const events = new Set(kiroku.lines.map(({ event }) => event))
  const expected = [
    'consent',
    'client_refused',
    'token_issued',
    'code_replayed',
    'token_revoked',
    'csrf_refused',
    'request',
  ]
  expect([...events].sort()).toEqual(expected.sort())
  const logged = JSON.stringify(kiroku.lines)
  for (const secret of [
    ...Object.values(secrets),
    encodeURIComponent(state),
    'nobody%20else',
    'nobody+else',
  ]) {
    expect(secret.length).toBeGreaterThan(8)
    expect(logged).not.toContain(secret)
  }
  const { data } = kiroku.deps.config
  const files = readdirSync(data).filter((name) => /\.db(-wal)?$/.test(name))
  expect(files.map((name) => name.replace(/^.*\.db/, '.db')).sort()).toEqual(['.db', '.db-wal'])
  const bytes = Buffer.concat(files.map((name) => readFileSync(join(data, name))))
  expect(bytes.includes(secrets.secret)).toBe(false)
  for (const secret of Object.values(secrets))
    expect([secret, bytes.includes(secret)]).toEqual([secret, false])
  // Texts that are not secret are found, so this searches in the right place.
  expect(bytes.includes('https://client.example/callback')).toBe(true)
  await kiroku.close()
})

test('ST-01, ST-04: issued secrets have the right kind, 256 random bits each, and are never the same twice', async () => {
  const kiroku = await createInstance()
  const [one, two] = [await walk(kiroku), await walk(kiroku)]
  const kinds = {
    code: 'ac',
    access_token: 'at',
    secret: 'cs',
    personal: 'pat',
    session: 'se',
    request: 'pq',
  } as const
  for (const [name, kind] of Object.entries(kinds) as [keyof typeof kinds, SecretKind][]) {
    expect([name, checkSecret(kind, one[name])]).toEqual([name, true])
    expect(one[name]).not.toBe(two[name])
    // Nothing that a form or a header would have to encode.
    expect(encodeURIComponent(one[name])).toBe(one[name])
  }
  await kiroku.close()
})

test('ST-01, D44: only hashes are stored, 32 bytes each, and no two are the same', async () => {
  const kiroku = await createInstance()
  await walk(kiroku)
  for (const [table, column] of [
    ['authorization_codes', 'code_hash'],
    ['tokens', 'token_hash'],
    ['client_secrets', 'secret_hash'],
    ['consent_requests', 'handle_hash'],
  ] as const) {
    const insert = kiroku.store.handle.query(`select sql from sqlite_schema where name = '${table}'`)
    const [{ sql }] = insert.all() as [{ sql: string }]
    expect(sql).toContain(`${column} blob not null unique check (length(${column}) = 32)`)
  }
  await kiroku.close()
})

test('ST-03: a client secret is looked up only by its SHA-256: the token endpoint computes no password hash', async () => {
  const kiroku = await createInstance()
  const client = await registerClient(kiroku)
  const code = await codeFor(kiroku, client)
  const [kept] = kiroku.store.handle.query('select secret_hash from client_secrets').all() as Body[]
  expect(Buffer.from(kept.secret_hash).toString('hex')).toBe(
    new Bun.CryptoHasher('sha256').update(client.secret).digest('hex'),
  )
  using hash = spyOn(Bun.password, 'hash')
  using verify = spyOn(Bun.password, 'verify')
  for (let at = 0; at < 50; at++) {
    const wrong = { ...exchange(client, code), client_secret: `${client.secret}${at}` }
    const refused = await postAs(kiroku, '/oauth/token', wrong)
    expect(await errorOf(refused)).toBe('401 invalid_client')
  }
  expect((await postAs(kiroku, '/oauth/token', exchange(client, code))).status).toBe(200)
  expect([hash.mock.calls.length, verify.mock.calls.length]).toEqual([0, 0])
  // The watched function is the one that hashes passwords.
  expect(await passwordMatches('a password', await hashPassword('a password', cheapPasswords))).toBe(true)
  expect([hash.mock.calls.length, verify.mock.calls.length]).toEqual([1, 1])
  await kiroku.close()
})
