import { findUser } from '../../accounts/account/user'
import { Failure } from '../../lib/failure'
import { withTimes } from '../../lib/time'
import type { Option } from '../../options/option'
import { decide } from '../../scrobble/decide'
import { createHook, findHook, hookDefaults, listHooks, revokeHook, sourceOfHook } from '../../scrobble/hooks'
import { readReport } from '../../scrobble/players/read-report'
import { type Player, players } from '../../scrobble/report'
import { fieldsOf } from '../../transfer/readers/fields'
import { integerUpTo } from '../../values/number'
import { anyText } from '../../values/text'
import { baseUrlOf } from '../base-url'
import { type CliCall, type Command, flag, json } from '../command'
import { withExistingStore, withStore } from '../open'
import { misuse } from '../parse'
import { table } from '../table'

const playerUser: Option<string> = {
  name: 'player-user',
  type: 'USER',
  sentence: 'Takes only plays of this user of the player.',
  defaultText: 'plays of any user',
  defaultValue: '',
  value: anyText,
}

const threshold: Option<number> = {
  name: 'threshold',
  type: 'PERCENT',
  sentence: 'How much of an episode counts as watched, if the player does not say so itself.',
  defaultText: '80',
  defaultValue: hookDefaults.threshold,
  value: integerUpTo(100),
}

const dryRun = flag('dry-run', 'Only keeps what it would record.')

export const hookCreate: Command = {
  name: 'hook create',
  summary:
    'Creates an address to which a player reports what a user watched, and prints only that. It cannot be shown again.',
  operands: [{ name: 'USERNAME' }, { name: 'PLAYER' }],
  options: [playerUser, threshold, dryRun],
  examples: [
    'kiroku hook create mio jellyfin --player-user mio',
    'kiroku hook create mio kodi --threshold 90',
    'kiroku hook create mio generic --dry-run',
  ],
  run: async (call) => {
    const [username = '', named = ''] = call.operands
    const player = playerNamed(named)
    const hook = {
      ...hookDefaults,
      ...{ player, name: player, playerUser: call.get(playerUser) },
      ...{ threshold: call.get(threshold), dryRun: call.get(dryRun) },
    }
    const baseUrl = baseUrlOf(call)
    const { url } = await withStore(call, async ({ read, write }) =>
      createHook(
        { write, now: call.now, random: call.random, baseUrl },
        await findUser(read, username),
        hook,
      ),
    )
    await call.print(url)
  },
}

function playerNamed(name: string): Player {
  const player = players.find((one) => one === name)
  if (player === undefined) throw misuse(hookCreate, `PLAYER must be one of ${players.join(', ')}`)
  return player
}

export const hookList: Command = {
  name: 'hook list',
  summary: 'Lists a user’s addresses for players.',
  operands: [{ name: 'USERNAME' }],
  options: [json],
  examples: ['kiroku hook list mio', 'kiroku hook list mio --json'],
  run: async (call) => {
    const [username = ''] = call.operands
    const hooks = await withExistingStore(call, async ({ read }) =>
      listHooks(read, await findUser(read, username)),
    )
    const shown = hooks.map(({ createdAt, lastUsedAt, revokedAt, ...hook }) =>
      withTimes({ ...hook, created_at: createdAt, last_used_at: lastUsedAt, revoked_at: revokedAt }),
    )
    if (call.get(json)) return await call.print(JSON.stringify(shown, null, 2))
    if (shown.length === 0) return await call.note('there are no addresses: see kiroku help hook create')
    const rows = shown.map((hook) => [
      ...[String(hook.id), hook.player, hook.name, hook.playerUser, hook.created_at],
      ...[hook.last_used_at ?? 'never', hook.revoked_at ?? 'no'],
    ])
    await call.print(table([['ID', 'PLAYER', 'NAME', 'USER', 'CREATED', 'LAST USED', 'REVOKED'], ...rows]))
  },
}

export const hookRevoke: Command = {
  name: 'hook revoke',
  summary: 'Revokes an address by its id, as shown by hook list.',
  operands: [{ name: 'ID' }],
  options: [],
  examples: ['kiroku hook revoke 3'],
  run: async (call) => {
    const id = idIn(call, hookRevoke)
    await withStore(call, async ({ read, write }) => {
      const owner = await ownerOf(read, id)
      await revokeHook({ write, now: call.now }, owner, id)
    })
    await call.print(`revoked the address ${id}`)
  },
}

function idIn(call: CliCall, command: Command): number {
  const [id = ''] = call.operands
  if (!/^[1-9][0-9]{0,14}$/.test(id)) throw misuse(command, 'ID must be the number that hook list shows')
  return Number(id)
}

type Read = Parameters<typeof listHooks>[0]

async function ownerOf(read: Read, id: number): Promise<number> {
  const row = await read.selectFrom('hooks').select('user_id').where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new Failure('data', `there is no address ${id}`)
  return row.user_id
}

export const hookTest: Command = {
  name: 'hook test',
  summary: 'Tells what a request of a player would record; writes nothing. FILE may be - for standard input.',
  operands: [{ name: 'ID' }, { name: 'FILE' }],
  options: [],
  examples: ['kiroku hook test 3 request.json', 'curl … | kiroku hook test 3 -'],
  run: async (call) => {
    const id = idIn(call, hookTest)
    const [, file = ''] = call.operands
    await withExistingStore(call, async ({ read, generations }) => {
      const text = await (file === '-' ? Bun.stdin.text() : Bun.file(file).text()).catch(() => {
        throw new Failure('data', `${file} cannot be read`)
      })
      const body = objectIn(text)
      const owner = await ownerOf(read, id)
      const hook = await findHook(read, owner, id)
      const deps = { read, generations, steady: () => performance.now() }
      const decided = await decide(deps, sourceOfHook(owner, hook), readReport(hook.player, body, ''))
      if (decided.result !== 'placed') return await call.print(`${decided.result}: ${decided.reason}`)
      for (const { work, episode } of decided.plays)
        await call.print(
          `${decided.rule}: ${work.id} ${work.title}${episode === null ? '' : `, episode ${episode}`}`,
        )
    })
  },
}

function objectIn(text: string) {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    throw new Failure('data', 'the request must be JSON')
  }
}
