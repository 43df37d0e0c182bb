import { findUser } from '../../accounts/account/user'
import { createToken, listTokens, revokeToken } from '../../accounts/token'
import { withTimes } from '../../lib/time'
import type { Option } from '../../options/option'
import { nonBlank } from '../../values/text'
import { type CliCall, type Command, json } from '../command'
import { expiresInOption } from '../expires-in'
import { withExistingStore, withStore } from '../open'
import { misuse } from '../parse'
import { scopeOption } from '../scope'
import { table } from '../table'

const description: Option<string> = {
  name: 'description',
  type: 'TEXT',
  sentence: 'What the token is for, to recognize it later.',
  defaultText: '',
  defaultValue: '',
  required: true,
  value: nonBlank,
}

/** Least privilege, as in an authorization request without a scope (D69). */
const scope = scopeOption('What the token may do: "read", "write" or "read write".', 'read')

const expiresIn = expiresInOption('token', undefined, 'never expires')

export const tokenCreate: Command = {
  name: 'token create',
  summary: 'Creates a personal access token and prints only the token, which cannot be shown again.',
  operands: [{ name: 'USERNAME' }],
  options: [description, scope, expiresIn],
  examples: [
    'kiroku token create mio --description "statistics"',
    'kiroku token create mio --description "shell" --scope "read write"',
    'kiroku token create mio --description "trying out" --expires-in 12h',
  ],
  run: async (call) => {
    const [username = ''] = call.operands
    const tokenOptions = {
      description: call.get(description),
      scope: call.get(scope),
      expiresIn: call.get(expiresIn),
    }
    const made = await withStore(call, async ({ read, write }) =>
      createToken(
        { write, now: call.now, random: call.random },
        { ...tokenOptions, userId: await findUser(read, username) },
      ),
    )
    await call.print(made.token)
  },
}

export const tokenList: Command = {
  name: 'token list',
  summary: 'Lists a user’s personal access tokens.',
  operands: [{ name: 'USERNAME' }],
  options: [json],
  examples: ['kiroku token list mio', 'kiroku token list mio --json'],
  run: async (call) => {
    const [username = ''] = call.operands
    const tokens = await withExistingStore(call, async ({ read }) =>
      listTokens(read, await findUser(read, username)),
    )
    await printTokens(call, tokens)
  },
}

export const tokenRevoke: Command = {
  name: 'token revoke',
  summary: 'Revokes a token by its id, as shown by token list.',
  operands: [{ name: 'ID' }],
  options: [],
  examples: ['kiroku token revoke 3'],
  run: async (call) => {
    const [id = ''] = call.operands
    if (!/^[1-9][0-9]{0,14}$/.test(id))
      throw misuse(tokenRevoke, 'ID must be the number that token list shows')
    await withStore(call, ({ write }) => revokeToken({ write }, Number(id)))
    await call.print(`revoked the token ${id}`)
  },
}

async function printTokens(call: CliCall, tokens: Awaited<ReturnType<typeof listTokens>>): Promise<void> {
  const shown = tokens.map(withTimes)
  if (call.get(json)) return await call.print(JSON.stringify(shown, null, 2))
  if (shown.length === 0) return await call.note('there are no tokens: see kiroku help token create')
  const rows = shown.map((token) => [
    ...[String(token.id), token.description, token.scope, token.created_at],
    ...[token.expires_at ?? 'never', token.last_used_at ?? 'never'],
  ])
  await call.print(table([['ID', 'DESCRIPTION', 'SCOPE', 'CREATED', 'EXPIRES', 'LAST USED'], ...rows]))
}
