import { Browser, linkIn } from '../browser'
import type { Recorder } from '../recorder'

const secret = 'quite a long password'
const sent = { username: 'newcomer', email: 'newcomer@example.com', password: secret }

export async function newcomers(recorder: Recorder, mio: Browser): Promise<void> {
  const browser = new Browser(recorder, 'newcomer')
  for (const bad of [{ username: 'mio' }, { username: 'a b' }, { email: 'x' }, { password: 'short' }])
    await browser.submit('/sign_up', { ...sent, ...bad })
  await browser.submit('/sign_up', sent)
  await browser.open('/settings')
  await browser.submit('/settings/delete_account', { what: 'everything', password: 'wrong' })
  await browser.submit('/settings/delete_account', { what: 'everything', password: secret })
  await browser.open('/account_deleted')
  await mio.signIn('mio')
  await signUpByInvitation(recorder, mio)
  await resetPasswordByLink(recorder, mio)
}

async function signUpByInvitation(recorder: Recorder, mio: Browser): Promise<void> {
  const made = await mio.submit('/admin/invitations', { uses: '1', expires_in: '1d', note: 'guest' })
  const link = linkIn(made.text)
  const guest = new Browser(recorder, 'guest', 'ja')
  await guest.submit(link, { username: 'guest', email: 'guest@example.com', password: 'short' })
  await guest.submit(link, { username: 'guest', email: 'guest@example.com', password: secret })
  await guest.open('/')
  await new Browser(recorder, 'too late').open(link)
  await mio.open('/admin/invitations')
}

async function resetPasswordByLink(recorder: Recorder, mio: Browser): Promise<void> {
  const made = await mio.submit('/admin/users/4/reset_password')
  const link = linkIn(made.text)
  const yui = new Browser(recorder, 'yui')
  await yui.submit(link, { password: 'short' })
  await yui.submit(link, { password: secret, revoke_tokens: '1' })
  await yui.open(link)
  await yui.signIn('yui', secret)
  await yui.open('/')
  await yui.open('/reset_password')
}
