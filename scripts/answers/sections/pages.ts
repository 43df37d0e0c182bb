import { Browser, formsOf, type PageForm } from '../browser'
import type { Recorder } from '../recorder'

const wrongLink = `kir_ln_${'A'.repeat(49)}`

const paths = [
  '/',
  '/about',
  '/docs',
  '/docs/errors',
  '/language',
  '/language?to=ja',
  `/setup/${wrongLink}`,
  '/sign_up',
  `/sign_up/${wrongLink}`,
  `/invitations/${wrongLink}`,
  '/sign_in',
  '/sign_in?return_to=%2Fsettings',
  '/sign_in?return_to=https%3A%2F%2Fevil.example',
  '/sign_in/code',
  '/sign_out',
  '/confirm',
  '/confirm?return_to=%2Fsettings%2Femail',
  '/confirm/code',
  '/reset_password',
  `/reset_password/${wrongLink}`,
  '/settings',
  '/settings/profile',
  '/settings/password',
  '/settings/email',
  `/settings/email/${wrongLink}`,
  '/settings/two_step',
  '/settings/two_step/set_up',
  '/settings/two_step/codes',
  '/settings/two_step/off',
  '/settings/sessions',
  '/settings/data',
  '/settings/export',
  '/settings/export/download',
  '/settings/delete_account',
  '/account_deleted',
  '/settings/tokens',
  '/settings/tokens/1/revoke',
  '/settings/tokens/2/revoke',
  '/settings/tokens/999/revoke',
  '/settings/tokens/x/revoke',
  '/settings/applications',
  '/settings/applications/1/revoke',
  '/settings/applications/3/revoke',
  '/oauth/applications',
  '/oauth/applications/new',
  '/oauth/applications/1',
  '/oauth/applications/1/edit',
  '/oauth/applications/1/rotate',
  '/oauth/applications/1/revoke_tokens',
  '/oauth/applications/1/delete',
  '/oauth/applications/99',
  '/admin',
  '/admin/users',
  '/admin/users?page=2',
  '/admin/users?q=mio',
  '/admin/users/1',
  '/admin/users/2',
  '/admin/users/99',
  '/admin/users/2/disable',
  '/admin/users/2/promote',
  '/admin/users/1/demote',
  '/admin/users/2/reset_password',
  '/admin/invitations',
  '/admin/invitations/1/withdraw',
  '/admin/invitations/2/withdraw',
  '/device',
  '/device?user_code=BCDF-GHJK',
  '/device/decide',
  '/oauth/authorize',
  '/nothing',
  '/settings/',
]

/** Every page as each kind of visitor in both languages; every form without its token, cross-site, and empty. */
export async function pages(recorder: Recorder): Promise<void> {
  recorder.begin('pages')
  for (const language of ['en', 'ja']) {
    for (const who of ['nobody', 'ritsu', 'mugi', 'mio']) {
      const browser = new Browser(recorder, who, language)
      if (who !== 'nobody') await browser.signIn(who)
      const seen = new Set<string>()
      for (const path of paths) {
        const { text } = await browser.open(path)
        for (const form of formsOf(text)) {
          if (seen.has(form.action)) continue
          seen.add(form.action)
          await sendInvalid(browser, form)
        }
      }
    }
  }
}

async function sendInvalid(browser: Browser, { action, hidden, names }: PageForm): Promise<void> {
  const filled = (value: string) => ({
    ...hidden,
    ...Object.fromEntries(names.map((name) => [name, value])),
  })
  await browser.post(action, { ...hidden, csrf: '' })
  await browser.post(action, { ...hidden, csrf: 'A'.repeat(43) })
  await browser.post(action, hidden, { 'sec-fetch-site': 'cross-site' })
  await browser.post(action, hidden, { origin: 'https://evil.example' })
  if (names.length > 0)
    for (const value of ['', 'x\0', '長'.repeat(20_000)]) await browser.post(action, filled(value))
}
