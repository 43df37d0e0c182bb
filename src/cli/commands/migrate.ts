import { settings } from '../../config'
import { version } from '../../version'
import { type Command, json } from '../command'
import { useDirectory } from '../data-directory'
import { requireDatabase } from '../database-state'
import { goingBack, upgrade } from '../open'

export const migrateStatus: Command = {
  name: 'migrate status',
  summary: 'Lists the migrations that the database has and needs. Changes nothing.',
  operands: [],
  options: [json],
  examples: ['kiroku migrate status'],
  run: async (call) => {
    const { applied, pending } = requireDatabase(call.get(settings.data))
    if (call.get(json)) return await call.print(JSON.stringify({ version, applied, pending }, null, 2))
    const lines = [
      ...applied.map(({ name }) => `applied  ${name}`),
      ...pending.map(({ name }) => `pending  ${name}`),
    ]
    await call.print(lines.join('\n'))
  },
}

export const migrateUp: Command = {
  name: 'migrate up',
  summary:
    'Upgrades the database to this version, after a copy of it in backups/. The server must be stopped.',
  operands: [],
  options: [json],
  examples: ['kiroku migrate up'],
  run: async (call) => {
    const { applied, snapshot } = await useDirectory(call, () => upgrade(call.get(settings.data), call.now))
    if (call.get(json)) {
      return await call.print(JSON.stringify({ version, applied, snapshot: snapshot ?? null }, null, 2))
    }
    if (applied.length === 0) return await call.print('nothing to do')
    const copy =
      snapshot === undefined
        ? []
        : [`copy of the database before: ${snapshot}`, goingBack(call.get(settings.data), snapshot)]
    await call.print([...copy, ...applied.map((name) => `applied  ${name}`)].join('\n'))
  },
}
