import {
  createInvitation,
  invitationUses,
  listInvitations,
  mostUses,
  withdrawInvitation,
} from '../../accounts/account/invitation'
import { Failure } from '../../lib/failure'
import { withTimes } from '../../lib/time'
import type { Option } from '../../options/option'
import { anyText } from '../../values/text'
import { mapped } from '../../values/value'
import { baseUrlOf } from '../base-url'
import { type CliCall, type Command, json } from '../command'
import { expiresInOption } from '../expires-in'
import { withExistingStore, withStore } from '../open'
import { misuse } from '../parse'
import { table } from '../table'

const uses: Option<number> = {
  name: 'uses',
  type: 'N',
  sentence: 'How many accounts it can create.',
  defaultText: '1',
  defaultValue: 1,
  value: invitationUses((t) => t.values.wholeNumber('1', String(mostUses))),
}

const expiresIn = expiresInOption('invitation', 7 * 86_400_000, '7d')

const note: Option<string> = {
  name: 'note',
  type: 'TEXT',
  sentence: 'What the invitation is for, to recognize it later.',
  defaultText: '',
  defaultValue: '',
  value: mapped(anyText, (text) => text.trim()),
}

export const inviteCreate: Command = {
  name: 'invite create',
  summary: 'Creates an invitation and prints only its URL, which cannot be shown again.',
  operands: [],
  options: [uses, expiresIn, note],
  examples: ['kiroku invite create', 'kiroku invite create --uses 10 --expires-in 30d --note "film club"'],
  run: async (call) => {
    const baseUrl = baseUrlOf(call)
    const invitation = { uses: call.get(uses), expiresIn: call.get(expiresIn), note: call.get(note) }
    const { code } = await withStore(call, ({ write }) =>
      createInvitation({ write, now: call.now, random: call.random }, { createdBy: null, ...invitation }),
    )
    await call.print(`${baseUrl}/invitations/${code}`)
  },
}

export const inviteList: Command = {
  name: 'invite list',
  summary: 'Lists the invitations.',
  operands: [],
  options: [json],
  examples: ['kiroku invite list', 'kiroku invite list --json'],
  run: async (call) =>
    printInvitations(call, await withExistingStore(call, ({ read }) => listInvitations(read))),
}

export const inviteWithdraw: Command = {
  name: 'invite withdraw',
  summary: 'Withdraws an invitation by its id, as shown by invite list.',
  operands: [{ name: 'ID' }],
  options: [],
  examples: ['kiroku invite withdraw 3'],
  run: async (call) => {
    const [id = ''] = call.operands
    if (!/^[1-9][0-9]{0,14}$/.test(id))
      throw misuse(inviteWithdraw, 'ID must be the number that invite list shows')
    const isGone = await withStore(call, (store) => withdrawInvitation(store, Number(id)))
    if (!isGone) throw new Failure('data', `there is no invitation ${id}`)
    await call.print(`withdrew the invitation ${id}`)
  },
}

async function printInvitations(
  call: CliCall,
  invitations: Awaited<ReturnType<typeof listInvitations>>,
): Promise<void> {
  const shown = invitations.map(({ username, created_at, expires_at, ...invitation }) =>
    withTimes({ ...invitation, created_by: username, created_at, expires_at }),
  )
  if (call.get(json)) return await call.print(JSON.stringify(shown, null, 2))
  if (shown.length === 0) return await call.note('there are no invitations: see kiroku help invite create')
  const rows = shown.map((one) => [
    ...[String(one.id), one.note, one.created_by ?? '', String(one.used_count)],
    ...[String(one.uses_left), one.created_at, one.expires_at ?? 'never'],
  ])
  await call.print(table([['ID', 'NOTE', 'MADE BY', 'USED', 'LEFT', 'CREATED', 'EXPIRES'], ...rows]))
}
