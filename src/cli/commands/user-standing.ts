import { createResetLink } from '../../accounts/account/new-password'
import { finishMove } from '../../accounts/account/privacy'
import {
  changeStanding,
  longestModerationReason,
  type StandingChange,
  type StandingDecision,
} from '../../accounts/account/standing'
import { findUser } from '../../accounts/account/user'
import { findUserRow } from '../../accounts/account/user-rows'
import { createLink } from '../../accounts/sign-in/one-time-link'
import { Failure } from '../../lib/failure'
import type { Option } from '../../options/option'
import { prose } from '../../values/text'
import { baseUrlOf } from '../base-url'
import { type CliCall, type Command, flag } from '../command'
import { withStore } from '../open'

/** An entry of the administrators' log by the command line. */
const byCommand: StandingDecision = { by: 0 }

const standing = (change: StandingChange, summary: string, done: string): Command => ({
  name: `user ${change}`,
  summary,
  operands: [{ name: 'USERNAME' }],
  options: [],
  examples: [`kiroku user ${change} mio`],
  run: (call) => applyStanding(call, change, { done, decision: byCommand }),
})

async function applyStanding(
  call: CliCall,
  change: StandingChange,
  { done, decision }: { readonly done: string; readonly decision: StandingDecision },
): Promise<void> {
  const [username = ''] = call.operands
  const changed = await withStore(call, async ({ read, write }) => {
    const userId = await findUser(read, username)
    const outcome = await changeStanding({ write, now: call.now }, userId, change, decision)
    await finishMove({ read, write }, userId)
    return outcome
  })
  if (changed === 'last') {
    throw new Failure('data', `${username} is the last administrator: promote another user first`)
  }
  await call.print(changed === 'done' ? `${username} ${done}` : `${username} ${done} already`)
}

export const userResetPassword: Command = {
  name: 'user reset-password',
  summary: 'Prints a URL where the user chooses a new password, valid once and for an hour.',
  operands: [{ name: 'USERNAME' }],
  options: [],
  examples: ['kiroku user reset-password mio'],
  run: async (call) => {
    const [username = ''] = call.operands
    const baseUrl = baseUrlOf(call)
    const link = await withStore(call, async ({ read, write }) =>
      createResetLink({ write, now: call.now, random: call.random }, await findUser(read, username)),
    )
    await call.print(`${baseUrl}/reset_password/${link}`)
  },
}

export const userSignInLink: Command = {
  name: 'user sign-in-link',
  summary: 'Prints a URL that signs the user in, valid once and for ten minutes.',
  operands: [{ name: 'USERNAME' }],
  options: [],
  examples: ['kiroku user sign-in-link mio'],
  run: async (call) => {
    const [username = ''] = call.operands
    const baseUrl = baseUrlOf(call)
    const link = await withStore(call, async ({ read, write }) => {
      const userId = await findUser(read, username)
      const { disabled_at } = (await findUserRow(read, userId)) ?? {}
      if (disabled_at !== null) throw new Failure('data', `${username} is disabled: enable the user first`)
      return await write((tx) => createLink(tx, call, { purpose: 'sign_in', userId }))
    })
    await call.print(`${baseUrl}/sign_in/link/${link}`)
  },
}

export const userPromote = standing('promote', 'Makes a user an administrator.', 'is an administrator')

export const userDemote = standing(
  'demote',
  'Makes an administrator an ordinary user again, unless it is the only administrator.',
  'is no administrator',
)

const off = flag('off', 'Takes the role away.')

export const userEditor: Command = {
  name: 'user editor',
  summary: 'Lets a user edit the catalogue and decide on suggestions.',
  operands: [{ name: 'USERNAME' }],
  options: [off],
  examples: ['kiroku user editor mio', 'kiroku user editor mio --off'],
  run: (call) =>
    call.get(off)
      ? applyStanding(call, 'end_editor', { done: 'is no editor', decision: byCommand })
      : applyStanding(call, 'make_editor', { done: 'is an editor', decision: byCommand }),
}

const hide = flag('hide', 'Also hides everything that the user wrote, until they are enabled again.')

const reason: Option<string> = {
  name: 'reason',
  type: 'TEXT',
  sentence: 'Why, for the log of administrators; at most 1,000 characters.',
  defaultText: 'none',
  defaultValue: '',
  value: prose(longestModerationReason),
}

export const userDisable: Command = {
  name: 'user disable',
  summary: 'Signs a user out everywhere and refuses their tokens, effective immediately.',
  operands: [{ name: 'USERNAME' }],
  options: [hide, reason],
  examples: ['kiroku user disable mio', 'kiroku user disable mio --hide --reason "Advertising"'],
  run: (call) => {
    const decision = { ...byCommand, reason: call.get(reason), hidesAll: call.get(hide) }
    return applyStanding(call, 'disable', { done: 'is disabled', decision })
  },
}

export const userEnable = standing(
  'enable',
  'Enables a disabled user again, and shows what was hidden with them.',
  'is enabled',
)
