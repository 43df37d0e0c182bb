import { afterAll, expect, test } from 'bun:test'
import { redirectUri, register } from '../../support/apps'
import { createInstance } from '../../support/instance'
import { answerOf, authorizeUrl } from '../../support/oauth'
import { createMember, hiddenInputs } from '../../support/visitor'

const kiroku = await createInstance()
const mio = await createMember(kiroku, 'mio')
afterAll(kiroku.close)

const form = '/oauth/applications/new'
const fit = { name: 'Stats', redirect_uri: redirectUri }

test('programs may register at /oauth/applications, with scopes in any order and various words for off', async () => {
  const { csrf = '' } = hiddenInputs((await mio.open(form)).text, form)
  for (const confidential of ['0', 'false', 'off', '']) {
    const values = { ...fit, csrf, scopes: 'write read', confidential }
    const made = await mio.post('/oauth/applications', values)
    expect([confidential, made.status, made.textOf('client_secret')]).toEqual([confidential, 200, ''])
    expect(made.textOf('client_id')).not.toBe('')
  }
})

test('the sample link of an application without a secret works, with the verifier shown next to it', async () => {
  const { csrf = '' } = hiddenInputs((await mio.open(form)).text, form)
  const made = await mio.post(form, { ...fit, csrf, name: 'Public', scopes: 'read' })
  const client_id = made.textOf('client_id')
  const path = /href="(\/oauth\/applications\/\d+)"/.exec(made.text)?.[1] ?? ''
  const page = await mio.open(path)
  const link = page.textOf('authorize_link')
  const asked = await mio.open(link.replace('http://localhost:3000', ''))
  const { csrf: proof = '', request = '' } = hiddenInputs(asked.text, '/oauth/authorize')
  const led = await mio.post('/oauth/authorize', { csrf: proof, request, decision: 'approve' })
  const code = new URL(led.location).searchParams.get('code') ?? ''
  const sent = { grant_type: 'authorization_code', client_id, code, redirect_uri: redirectUri }
  const exchange = (code_verifier: string) =>
    kiroku.ask('/oauth/token', { method: 'POST', body: new URLSearchParams({ ...sent, code_verifier }) })
  expect((await exchange('x'.repeat(43))).status).toBe(400)
  expect((await exchange(page.textOf('code_verifier'))).status).toBe(200)
})

test('the owner turns iss on and off again on the application’s page (D111)', async () => {
  const { id, uid } = await register(kiroku, mio)
  const page = `/oauth/applications/${id}`
  const isSent = async () =>
    answerOf(await mio.open(authorizeUrl({ id, uid, secret: '', redirectUri }, { scope: 'x' })))
  for (const on of [true, false]) {
    await mio.submit(`${page}/edit`, { ...fit, scopes: 'read', send_iss: on ? '1' : '' })
    expect((await mio.open(page)).text).toMatch(
      on ? /<dt>iss in the redirect<\/dt>\s*<dd>Yes</ : /<dt>iss in the redirect<\/dt>\s*<dd>No</,
    )
    const { text } = await mio.open(`${page}/edit`)
    expect(/<input [^>]*name="send_iss"[^>]*>/.exec(text)?.[0].includes(' checked')).toBe(on)
    expect((await isSent()).iss).toBe(on ? 'http://localhost:3000' : undefined)
  }
})
