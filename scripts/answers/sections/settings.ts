import { Browser, linkIn } from '../browser'
import type { Recorder } from '../recorder'
import { password } from '../seed'
import { serverFlags } from '../server-flags'

const servers: readonly (readonly [name: string, flags: readonly string[]])[] = [
  ['limited', ['--rate-limit', '5', '--registration', 'closed', '--no-query-tokens']],
  [
    'https',
    [
      '--rate-limit',
      'off',
      '--base-url',
      'https://kiroku.example/base',
      '--require-two-step',
      'everyone',
      '--oauth-query-parameters',
    ],
  ],
  [
    'invited',
    [
      '--rate-limit',
      'off',
      '--registration',
      'invite',
      '--hsts',
      'include-subdomains',
      '--trusted-proxies',
      '127.0.0.0/8',
    ],
  ],
]

const targets = [
  '/v1/works?per_page=1&fields=id',
  '/v1/me',
  '/v1/none',
  '/about',
  '/sign_up',
  '/sign_in',
  '/base/about',
  '/docs',
  '/oauth/token/info',
  '/.well-known/oauth-authorization-server',
  '/readyz',
]

/** Restarts the server with other settings, the last time on an empty folder. */
export async function settings(recorder: Recorder): Promise<void> {
  for (const [name, flags] of servers) {
    recorder.begin(`settings ${name}`)
    const base = flags.includes('--base-url') ? [] : ['--base-url', 'http://localhost']
    await recorder.serve(['--no-catalogue', ...base, ...flags])
    for (let turn = 0; turn < 8; turn += 1) await recorder.ask({ target: '/v1/me', as: 'mugi' })
    for (let turn = 0; turn < 2; turn += 1)
      for (const target of targets) {
        await recorder.ask({ target })
        await recorder.ask({ target, as: 'ritsu' })
        await recorder.ask({
          target: `${target}${target.includes('?') ? '&' : '?'}access_token=${recorder.tokens.get('azusa')}`,
        })
      }
    const ritsu = new Browser(recorder, 'ritsu')
    await ritsu.signIn('ritsu')
    for (const path of ['/', '/settings', '/settings/tokens', '/settings/two_step']) await ritsu.open(path)
    for (let turn = 0; turn < 3; turn += 1)
      await recorder.ask({
        method: 'POST',
        target: '/oauth/token',
        body: 'grant_type=x',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
  }
  await firstAdministrator(recorder)
}

async function firstAdministrator(recorder: Recorder): Promise<void> {
  recorder.begin('settings first')
  await recorder.serve([...serverFlags, '--rate-limit', 'off', '--data', 'first'])
  const visitor = new Browser(recorder, 'somebody')
  for (const path of ['/', '/sign_in', '/sign_up', '/setup/x']) await visitor.open(path)
  const setUp = ['setup-url', '--data', 'first', '--base-url', 'http://localhost']
  const links = [await recorder.run(setUp), await recorder.run(setUp)].map(({ stdout }) => linkIn(stdout))
  const good = { username: 'first', email: 'first@example.com', password }
  for (const link of links) {
    await visitor.submit(link, { ...good, username: 'no name' })
    await visitor.submit(link, good)
  }
  for (const path of ['/', '/admin', links[1] ?? '']) await visitor.open(path)
}
