import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { createOptionReader } from '../../src/cli/settings/given'
import { readSettings } from '../../src/config'
import { Failure } from '../../src/lib/failure'
import { temporaryDirectory } from '../support/kiroku'

describe('identity providers (D102)', () => {
  const providersOf = (toml: string) => {
    using directory = temporaryDirectory()
    writeFileSync(directory.file('kiroku.toml'), toml)
    return readSettings(createOptionReader(new Map([['data', directory.path]]), {})).providers
  }
  const issuer = 'issuer = "https://id.example"\nclient-id = "kiroku"\n'

  test('one by flat settings, several by [[oidc]] of the file', () => {
    const usual = {
      ...{ id: 'oidc', issuer: 'https://id.example', clientId: 'kiroku', clientSecret: undefined },
      ...{ name: 'id.example', scopes: undefined, signUp: false, linkByEmail: false },
      ...{ groups: [], adminGroups: [], groupsClaim: 'groups' },
    }
    expect(providersOf('oidc-issuer = "https://id.example/"\noidc-client-id = "kiroku"')).toEqual([usual])
    expect(providersOf('oidc-issuer = "https://id.example/o/k/"\noidc-client-id = "k"')[0]?.issuer).toBe(
      'https://id.example/o/k/',
    )
    const several = `
      [[oidc]]
      id = "home"
      ${issuer}
      client-secret = "hush"
      name = "家のアカウント"
      sign-up = true
      groups = ["anime", "cats, dogs"]
      [[oidc]]
      id = "work"
      issuer = "http://127.0.0.1:9000/realms/x"
      client-id = "kiroku"
      link-by-email = true
      scopes = "openid email"
      groups-claim = "/realm_access/roles"`
    expect(providersOf(several)).toEqual([
      {
        ...{ ...usual, id: 'home', clientSecret: 'hush', name: '家のアカウント', signUp: true },
        groups: ['anime', 'cats, dogs'],
      },
      {
        ...{ ...usual, id: 'work', issuer: 'http://127.0.0.1:9000/realms/x', name: '127.0.0.1:9000' },
        ...{ linkByEmail: true, scopes: ['openid', 'email'], groupsClaim: '/realm_access/roles' },
      },
    ])
  })

  test.each([
    ['oidc-client-id = "kiroku"', 'oidc-issuer is missing'],
    ['oidc-sign-up = "on"', 'oidc-issuer is missing'],
    ['oidc-issuer = "https://id.example"', 'oidc-client-id is missing'],
    ['oidc = "https://id.example"', 'oidc must be tables'],
    [`[[oidc]]\n${issuer}`, '[[oidc]] 1: id must be'],
    [`[[oidc]]\nid = "Home"\n${issuer}`, '[[oidc]] 1: id must be'],
    ['[[oidc]]\nid = "home"\nclient-id = "kiroku"', '[[oidc]] 1: issuer is missing'],
    ['[[oidc]]\nid = "home"\nissuer = "https://id.example"', '[[oidc]] 1: client-id is missing'],
    ['[[oidc]]\nid = "home"\nissuer = "http://id.example"\nclient-id = "k"', '[[oidc]] 1: issuer must be'],
    [`[[oidc]]\nid = "home"\nisuer = "x"\n${issuer}`, 'unknown key isuer (did you mean issuer?)'],
    [`[[oidc]]\nid = "home"\nsign-up = "yes"\n${issuer}`, '[[oidc]] 1: sign-up must be'],
    [`[[oidc]]\nid = "home"\ngroups = "a"\n${issuer}`, '[[oidc]] 1: groups must be'],
    [`[[oidc]]\nid = "a"\n${issuer}[[oidc]]\nid = "a"\n${issuer}`, 'the same id'],
    [`[[oidc]]\nid = "a"\n${issuer}[[oidc]]\nid = "b"\n${issuer}`, 'the same issuer'],
    [`oidc-client-id = "x"\n[[oidc]]\nid = "a"\n${issuer}`, 'are both set'],
  ])('are refused if they are not described in full, or twice: %j', (toml, why) => {
    let cause: unknown
    try {
      providersOf(toml)
    } catch (thrown) {
      cause = thrown
    }
    if (!(cause instanceof Failure)) throw new Error('it was accepted')
    expect([cause.exitCode, cause.message]).toEqual([78, expect.stringContaining(why)])
  })
})
