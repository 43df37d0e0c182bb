import { afterAll, expect, test } from 'bun:test'
import { redirectUri } from './apps'
import { createInstance } from './instance'
import { createMember, hiddenInputs } from './visitor'

const kiroku = await createInstance()
const mio = await createMember(kiroku, 'mio')
afterAll(kiroku.close)

const form = '/oauth/applications/new'
const fit = { name: 'Stats', redirect_uri: redirectUri }

test('programs may register at /oauth/applications, name scopes in any order and say off in their own way', async () => {
  const { csrf = '' } = hiddenInputs((await mio.open(form)).text, form)
  for (const confidential of ['0', 'false', 'off', '']) {
    const values = { ...fit, csrf, scopes: 'write read', confidential }
    const made = await mio.post('/oauth/applications', values)
    expect([confidential, made.status, made.textOf('client_secret')]).toEqual([confidential, 200, ''])
    expect(made.textOf('client_id')).not.toBe('')
  }
})
