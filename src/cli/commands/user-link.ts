import { findUser } from '../../accounts/account/user'
import { connectIdentity, disconnectIdentity, listIdentities } from '../../accounts/provider/identity'
import { Failure } from '../../lib/failure'
import type { Option } from '../../options/option'
import { readProviders } from '../../options/providers'
import { nonBlank, textUpTo } from '../../values/text'
import type { CliCall, Command } from '../command'
import { withStore } from '../open'

const provider: Option<string> = {
  ...{ name: 'provider', type: 'ID', defaultText: '', defaultValue: '', required: true },
  sentence: 'The provider: its id in the settings, which is oidc if they are flat, or its issuer.',
  value: nonBlank,
}

const subject: Option<string> = {
  ...{ name: 'subject', type: 'SUB', defaultText: '', defaultValue: '' },
  sentence: 'Who the person is there: what the provider sends as sub.',
  value: textUpTo(255, (t) => t.values.atMost(255)),
}

export const userLink: Command = {
  name: 'user link',
  summary: 'Connects a user with a person at a provider, who can then sign in.',
  operands: [{ name: 'USERNAME' }],
  options: [provider, { ...subject, required: true }],
  examples: ['kiroku user link mio --provider oidc --subject 5f1c9a'],
  run: async (call) => {
    const [username = ''] = call.operands
    const issuer = issuerOf(call)
    const person = { issuer, subject: call.get(subject), name: '' }
    if (person.subject === '') throw new Failure('usage', '--subject must not be empty')
    const outcome = await withStore(call, async ({ read, write }) => {
      const userId = await findUser(read, username)
      return await write((tx) => connectIdentity(tx, userId, person, call.now()))
    })
    if (outcome === 'taken')
      throw new Failure(
        'data',
        `that person is connected with another user, or ${username} with another person there`,
      )
    await call.print(
      `${username} ${outcome === 'already' ? 'was connected already' : 'is connected'} with ${issuer}`,
    )
  },
}

export const userUnlink: Command = {
  name: 'user unlink',
  summary: 'Disconnects a user from a provider, and ends the sessions that began with it.',
  operands: [{ name: 'USERNAME' }],
  options: [provider, subject],
  examples: ['kiroku user unlink mio --provider oidc'],
  run: async (call) => {
    const [username = ''] = call.operands
    const issuer = issuerOf(call)
    const wanted = call.get(subject)
    await withStore(call, async ({ read, write }) => {
      const userId = await findUser(read, username)
      const held = (await listIdentities(read, userId)).find(
        (one) => one.issuer === issuer && (wanted === '' || one.subject === wanted),
      )
      if (held === undefined) throw new Failure('data', `${username} is not connected with ${issuer}`)
      // Even the last way in: `user sign-in-link` is another one.
      await write((tx) =>
        disconnectIdentity(tx, { userId, id: held.id, rules: undefined, except: undefined }),
      )
    })
    await call.print(`${username} is no longer connected with ${issuer}`)
  },
}

/** An issuer is also one that is no longer configured. */
function issuerOf(call: CliCall): string {
  const named = call.get(provider)
  const providers = readProviders(call)
  const known = providers.find(({ id, issuer }) => id === named || issuer === named)
  if (known !== undefined) return known.issuer
  if (/^https?:\/\//.test(named)) return named
  const ids = providers.map(({ id }) => id).join(', ')
  throw new Failure(
    'data',
    `there is no provider called ${JSON.stringify(named)}; configured: ${ids || 'none'}`,
  )
}
