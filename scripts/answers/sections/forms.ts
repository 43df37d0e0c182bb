import { Browser } from '../browser'
import type { Recorder } from '../recorder'
import { password } from '../seed'
import { newcomers } from './forms-newcomers'
import { twoStep } from './forms-two-step'

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
  ['/settings/sessions', {}, '/settings/sessions/end_others'],
  ['/settings/password', { current_password: 'wrong', password: 'another good password' }],
  ['/settings/password', { current_password: password, password: 'short' }],
  ['/settings/password', { current_password: password, password: 'azusa' }],
  ['/settings/password', { current_password: password, password, revoke_tokens: '1' }],
  ['/settings/export', { file: 'kiroku' }, '/settings/export/download'],
  ['/settings/tokens', { description: 'a token', scope: 'read write', expires_in: '7d' }],
  ['/settings/tokens', { description: '', scope: 'all', expires_in: '8d' }],
  ['/oauth/applications/new', { name: '', redirect_uri: 'http://app.example/#x', scopes: 'all' }],
  [
    '/oauth/applications/new',
    { name: 'App', redirect_uri: 'https://app.example/callback', scopes: 'read', confidential: '1' },
  ],
]

const application: readonly Step[] = [
  [
    '/edit',
    { name: 'Changed', redirect_uri: 'https://app.example/a\nhttps://app.example/b', scopes: 'read write' },
  ],
  ['/edit', { name: '', redirect_uri: 'https://', scopes: 'read' }],
  ['/rotate'],
  ['/revoke_tokens'],
  ['/delete'],
]

const administration: readonly Step[] = [
  ['/admin/invitations', { uses: '3', expires_in: '7d', note: 'club' }],
  ['/admin/invitations', { uses: '2', expires_in: '30d', note: '' }],
  ['/admin/invitations', { uses: '0', expires_in: '9d', note: 'a'.repeat(600) }],
  ['/admin/invitations/1/withdraw'],
  ['/admin/users/6/disable'],
  ['/admin/users/6', {}, '/admin/users/6/enable'],
  ['/admin/users/5/promote'],
  ['/admin/users/5/demote'],
  ['/admin/users/1/demote'],
]

/** Every form with valid and invalid values, in a fixed order. */
export async function forms(recorder: Recorder): Promise<void> {
  recorder.begin('forms')
  for (const username of ['nobody_here', 'AZUSA', 'azusa@example.com'])
    await new Browser(recorder, username).signIn(username)
  const azusa = new Browser(recorder, 'azusa')
  for (let n = 0; n < 8; n += 1) await azusa.submit('/sign_in', { username: 'azusa', password: 'wrong' })
  await azusa.signIn('azusa')
  await runSteps(azusa, account)
  const { text } = await azusa.open('/oauth/applications')
  const own = /"(\/oauth\/applications\/\d+)"/.exec(text)?.[1] ?? ''
  await runSteps(
    azusa,
    application.map(([end, values = {}]): Step => [own + end, values]),
  )
  const mio = new Browser(recorder, 'mio')
  await mio.signIn('mio')
  await runSteps(mio, administration)
  for (const path of ['/admin', '/admin/users', '/settings/sessions']) await mio.open(path)
  await twoStep(recorder)
  await newcomers(recorder, mio)
}

async function runSteps(browser: Browser, steps: readonly Step[]): Promise<void> {
  for (const [target, values, action] of steps) {
    await browser.submit(target, values, action)
    await browser.open(target)
  }
}
