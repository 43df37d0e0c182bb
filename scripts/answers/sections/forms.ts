import { Browser, textAt } from '../browser'
import type { Recorder } from '../recorder'
import { password } from '../seed'
import { codeOf } from '../totp'

type Step = readonly [target: string, values?: Readonly<Record<string, string>>, action?: string]

const account: readonly Step[] = [
  ['/language', { language: 'ja' }],
  ['/language', { language: 'browser' }],
  ['/language', { language: 'fr' }],
  ['/settings/profile', { name: '名前', description: '自己紹介\n二行', url: 'https://azusa.example/' }],
  ['/settings/profile', { name: '', description: 'a'.repeat(501), url: 'javascript:1' }],
  ['/settings/profile', { name: '梓', description: '', url: '' }],
  ['/settings/email', { email: 'new@example.com' }],
  ['/settings/email', { email: 'no address' }],
  ['/settings/password', { current_password: 'wrong', password: 'another good password' }],
  ['/settings/password', { current_password: password, password: 'short' }],
  ['/settings/password', { current_password: password, password: 'azusa' }],
  ['/settings/password', { current_password: password, password }],
  ['/settings/tokens', { description: 'a token', scope: 'read write', expires_in: '7d' }],
  ['/settings/tokens', { description: '', scope: 'all', expires_in: '8d' }],
  [
    '/oauth/applications/new',
    { name: 'App', redirect_uri: 'https://app.example/callback', scopes: 'read' },
    '/oauth/applications',
  ],
  [
    '/oauth/applications/new',
    { name: '', redirect_uri: 'http://app.example/#x', scopes: 'all' },
    '/oauth/applications',
  ],
  [
    '/oauth/applications/1/edit',
    { name: 'Changed', redirect_uri: 'https://app.example/a\nhttps://app.example/b', scopes: 'read write' },
  ],
  ['/oauth/applications/1/rotate'],
  ['/oauth/applications/1/revoke_tokens'],
  ['/oauth/applications/1/delete'],
  ['/settings/sessions', {}, '/settings/sessions/end_others'],
  ['/settings/data', {}, '/settings/data/download'],
]

const administration: readonly Step[] = [
  ['/admin/invitations', { uses: '3', expires_in: '7d', note: 'club' }],
  ['/admin/invitations', { uses: '0', expires_in: '9d', note: 'a'.repeat(600) }],
  ['/admin/invitations/1/withdraw'],
  ['/admin/users/6/disable'],
  ['/admin/users/6', {}, '/admin/users/6/enable'],
  ['/admin/users/5/promote'],
  ['/admin/users/5/demote'],
  ['/admin/users/1/demote'],
  ['/admin/users/4/reset_password'],
]

/** Every form filled in as it should be and as it should not, by those whom it concerns, in a fixed order. */
export async function forms(recorder: Recorder): Promise<void> {
  recorder.begin('forms')
  for (const username of ['nobody_here', 'AZUSA', 'azusa@example.com'])
    await new Browser(recorder, username).signIn(username)
  const azusa = new Browser(recorder, 'azusa')
  for (let n = 0; n < 8; n += 1) await azusa.submit('/sign_in', { username: 'azusa', password: 'wrong' })
  await azusa.signIn('azusa')
  for (const [target, values, action] of account) {
    await azusa.submit(target, values, action)
    await azusa.open(target)
  }
  const mio = new Browser(recorder, 'mio')
  await mio.signIn('mio')
  for (const [target, values, action] of administration) await mio.submit(target, values, action)
  for (const path of ['/admin', '/admin/users', '/admin/invitations', '/settings/sessions'])
    await mio.open(path)
  await twoStep(recorder)
  await newcomers(recorder)
}

async function twoStep(recorder: Recorder): Promise<void> {
  const { clock } = recorder.instance
  const yui = new Browser(recorder, 'yui')
  await yui.signIn('yui')
  await yui.submit('/settings/two_step', {}, '/settings/two_step/start')
  const key = textAt((await yui.open('/settings/two_step/set_up')).text, 'totp_key')
  recorder.masks.learn(key, '<totp>')
  await yui.submit('/settings/two_step/set_up', { code: 'abc' })
  // What a code is depends on the random key: the recording does not repeat it.
  const send = async (target: string) => {
    clock.advance(90)
    const code = codeOf(key, clock.now + 1000)
    recorder.masks.learn(code, '<code>')
    await yui.submit(target, { code })
    recorder.masks.forget(code)
  }
  await send('/settings/two_step/set_up')
  await yui.open('/settings/two_step')
  await yui.submit('/settings/two_step/codes')
  await yui.submit('/settings/two_step', {}, '/sign_out')
  await yui.signIn('yui')
  await yui.submit('/sign_in/code', { code: '000' })
  await send('/sign_in/code')
  clock.advance(7200)
  await yui.open('/settings/email')
  await yui.submit('/confirm?return_to=%2Fsettings%2Femail', { password: 'wrong' })
  await yui.submit('/confirm?return_to=%2Fsettings%2Femail', { password })
  await send('/confirm/code')
  await yui.submit('/settings/two_step/off', { password })
  await yui.open('/settings/two_step')
}

async function newcomers(recorder: Recorder): Promise<void> {
  const sent = { username: 'newcomer', email: 'newcomer@example.com', password: 'quite a long password' }
  const browser = new Browser(recorder, 'newcomer')
  for (const bad of [{ username: 'mio' }, { username: 'a b' }, { email: 'x' }, { password: 'short' }])
    await browser.submit('/sign_up', { ...sent, ...bad })
  await browser.submit('/sign_up', sent)
  await browser.open('/settings')
  await browser.submit('/settings/delete_account', { what: 'everything', password: 'wrong' })
  await browser.submit('/settings/delete_account', { what: 'everything', password: sent.password })
  await browser.open('/account_deleted')
  await browser.submit('/reset_password', { username: 'mio', email: 'mio@example.com' })
}
