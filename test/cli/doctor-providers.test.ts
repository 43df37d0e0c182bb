import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { createIdentityProvider } from '../support/identity-provider'
import { run } from '../support/in-process'
import type { Body } from '../support/instance'
import { preparedDirectory } from '../support/prepared-directory'

test('doctor asks each provider, says what to register there, and warns if anyone gets an account (D103)', async () => {
  using directory = await preparedDirectory()
  const [home, gone] = [await createIdentityProvider(), await createIdentityProvider()]
  await gone.stop()
  const table = (id: string, { issuer }: { issuer: string }, more = '') =>
    `[[oidc]]\nid = "${id}"\nissuer = "${issuer}"\nclient-id = "kiroku"\n${more}\n`
  const toml = `base-url = "https://kiroku.example/log"\n${table('home', home, 'sign-up = true')}${table('gone', gone)}`
  writeFileSync(directory.file('data/kiroku.toml'), toml)
  const { code, stdout } = await run(directory, ['doctor', '--json'])
  const { findings }: Body = JSON.parse(stdout)
  const told = findings.filter(({ about }: Body) => about.startsWith('provider'))
  expect([code, told.map(({ about, level, message }: Body) => [about, level, message])]).toEqual([
    78,
    [
      ['provider home', 'ok', `${home.issuer} answers, with 1 keys`],
      ['provider home', 'ok', 'register https://kiroku.example/log/sign_in/with/home/back there'],
      ['provider gone', 'problem', expect.stringContaining('unreachable')],
      ['provider gone', 'ok', 'register https://kiroku.example/log/sign_in/with/gone/back there'],
      ['providers', 'note', expect.stringContaining('oidc-sign-up without oidc-groups')],
    ],
  ])
  home.faults.metadata = (all) => ({ ...all, issuer: `${home.issuer}/other` })
  expect(await run(directory, ['doctor']).then((ended) => ended.stdout)).toContain('"issuer" property')
  await home.stop()
})
