import { findUser } from '../../accounts/account/user'
import type { Reads } from '../../db/open'
import type { Option } from '../../options/option'
import type { Exporter } from '../../transfer/export/entries'
import {
  type ExportFormat,
  exportFormats,
  formats,
  type LeftOut,
  leftOutOf,
} from '../../transfer/export/formats'
import { oneOf } from '../../values/text'
import type { CliCall, Command } from '../command'
import { withExistingStore } from '../open'
import { writeOut } from '../write-out'

const format: Option<ExportFormat> = {
  name: 'format',
  type: 'FORMAT',
  sentence:
    'kiroku is all data as JSON; mal, yamtrack and simkl are the list for those services; csv is the records.',
  defaultText: 'kiroku',
  defaultValue: 'kiroku',
  value: oneOf(exportFormats),
}

export const userExport: Command = {
  name: 'user export',
  summary: 'Writes a user’s data, or their list in another service’s format, to a file or standard output.',
  operands: [{ name: 'USERNAME' }, { name: 'FILE', optional: true }],
  options: [format],
  examples: [
    'kiroku user export mio mio.json',
    'kiroku user export mio | jq .records',
    'kiroku user export mio mio.xml.gz --format mal',
  ],
  run: async (call) => {
    const chosen = call.get(format)
    const [username = '', path = '-'] = call.operands
    await withExistingStore(call, async (store) => {
      const exporter = await exporterOf(call, store, username)
      await writeOut(call, path, formats[chosen].write(exporter))
      await writeLeftOut(call, path, await leftOutOf(chosen, exporter))
    })
  },
}

async function exporterOf(
  { now }: CliCall,
  { readBare, readAs }: Reads,
  username: string,
): Promise<Exporter> {
  const userId = await findUser(readBare, username)
  const user = await readBare
    .selectFrom('users')
    .select('time_zone')
    .where('id', '=', userId)
    .executeTakeFirst()
  return { read: readAs(userId), now, userId, timeZone: user?.time_zone ?? 'UTC' }
}

/** Lists works that the format has no place for in a second file. */
async function writeLeftOut(call: CliCall, path: string, left: LeftOut | undefined): Promise<void> {
  if (left === undefined) return
  const works = `${left.count.toLocaleString('en')} ${left.count === 1 ? 'work does' : 'works do'} not fit`
  if (path === '-')
    return await call.note(`${works}; with FILE, a second file lists ${left.count === 1 ? 'it' : 'them'}`)
  await writeOut(call, `${path}.left-out.csv`, left.pieces)
  await call.note(`${works}; ${left.count === 1 ? 'it is' : 'they are'} listed in ${path}.left-out.csv`)
}
