import { isoTime } from '../../../lib/time'
import { shownImport } from '../../../transfer/api/import-schema'
import type { ListImport } from '../../../transfer/batch/list-import'
import type { Lists } from '../../../transfer/batch/lists'
import { rowStates } from '../../../transfer/plan/planned-row'
import { type Command, json } from '../../command'
import { table } from '../../table'
import { withLists } from './with-lists'

export const userImports: Command = {
  name: 'user imports',
  summary: 'Lists a user’s imports from other services, newest first.',
  operands: [{ name: 'USERNAME' }],
  options: [json],
  examples: ['kiroku user imports mio', 'kiroku user imports mio --json'],
  run: async (call) => {
    const imports = await withLists(call, allOf)
    if (call.get(json)) return await call.print(JSON.stringify(imports.map(shownImport), null, 2))
    if (imports.length > 0) await call.print(table([head, ...imports.map(lineOf)]))
  },
}

async function allOf(lists: Lists, userId: number): Promise<readonly ListImport[]> {
  const all: ListImport[] = []
  for (;;) {
    const { imports, total } = await lists.list(userId, { offset: all.length, limit: 50 })
    all.push(...imports)
    if (imports.length === 0 || all.length >= total) return all
  }
}

const head = ['id', 'date', 'source', 'file', 'state', 'rows']

const lineOf = ({ id, createdAt, source, fileName, state, counts }: ListImport) => [
  String(id),
  isoTime(createdAt).slice(0, 16).replace('T', ' '),
  source,
  fileName,
  state,
  rowsText(counts),
]

const rowsText = (counts: ListImport['counts']) =>
  rowStates
    .filter((state) => counts[state] > 0)
    .map((state) => `${counts[state].toLocaleString('en')} ${state}`)
    .join(', ')
