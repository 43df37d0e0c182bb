import { basename } from 'node:path'
import { settings } from '../../config'
import { Failure } from '../../lib/failure'
import { withTimes } from '../../lib/time'
import { RefusedFile } from '../../transfer/file/refused-file'
import {
  type InstalledMapping,
  installMapping,
  listMappings,
  removeMapping,
} from '../../transfer/mapping/installed'
import { mappingKinds } from '../../transfer/mapping/ranges'
import { refusalText } from '../../transfer/refusal'
import { type Command, json } from '../command'
import { withSource } from '../import-source'
import { withExistingStore, withStore } from '../open'
import { misuse } from '../parse'
import { table } from '../table'

export const mappingImport: Command = {
  name: 'mapping import',
  summary:
    'Installs a file that says which episodes of TheTVDB and TMDB are which of a work: Anime-Lists, AniBridge or Fribb. It takes the place of one of its kind.',
  operands: [{ name: 'FILE|-|URL' }],
  options: [json],
  examples: [
    'kiroku mapping import anime-list-master.xml',
    'kiroku mapping import mappings.json.zst',
    'kiroku mapping import https://example.com/anime-list-full.json',
  ],
  run: async (call) => {
    const [name = ''] = call.operands
    const data = call.get(settings.data)
    const installed = await withStore(call, ({ read, write }) =>
      withSource(name, data, (bytes) =>
        installMapping({ read, write, now: call.now }, nameOf(name), bytes).catch((cause) => {
          throw cause instanceof RefusedFile ? new Failure('data', whyRefused(cause)) : cause
        }),
      ),
    )
    if (call.get(json)) return await call.print(JSON.stringify(shown(installed), null, 2))
    await call.print(sentenceOf(installed))
  },
}

const whyRefused = (cause: RefusedFile): string =>
  cause.problem === 'unrecognised'
    ? 'unrecognised: This is no mapping file of Anime-Lists, AniBridge (version 3) or Fribb.'
    : refusalText(cause)

/** Without folders, passwords and queries. */
const nameOf = (source: string): string =>
  source === '-'
    ? 'standard input'
    : basename(URL.canParse(source) ? new URL(source).pathname : source).slice(0, 200)

const sentenceOf = ({ kind, works, ranges, contradictions, skipped }: InstalledMapping): string =>
  [
    `installed ${kind}: ${ranges.toLocaleString('en')} ranges for ${works.toLocaleString('en')} works of this catalogue`,
    `${contradictions.toLocaleString('en')} of them name several works, ${skipped.toLocaleString('en')} entries say nothing that can be used`,
  ].join('\n')

const shown = ({ installedAt, ...one }: InstalledMapping) => withTimes({ ...one, installed_at: installedAt })

export const mappingStatus: Command = {
  name: 'mapping status',
  summary: 'Lists the mapping files that are installed.',
  operands: [],
  options: [json],
  examples: ['kiroku mapping status', 'kiroku mapping status --json'],
  run: async (call) => {
    const installed = await withExistingStore(call, ({ read }) => listMappings(read))
    if (call.get(json)) return await call.print(JSON.stringify(installed.map(shown), null, 2))
    if (installed.length === 0)
      return await call.note('no mapping file is installed: see kiroku help mapping import')
    const rows = installed.map((one) => [
      ...[one.kind, one.name, shown(one).installed_at ?? '', String(one.ranges), String(one.works)],
      String(one.contradictions),
    ])
    await call.print(table([['KIND', 'FILE', 'INSTALLED', 'RANGES', 'WORKS', 'CONTRADICTIONS'], ...rows]))
  },
}

export const mappingRemove: Command = {
  name: 'mapping remove',
  summary: 'Removes the mapping file of a kind, as shown by mapping status.',
  operands: [{ name: 'KIND' }],
  options: [],
  examples: ['kiroku mapping remove anibridge'],
  run: async (call) => {
    const [named = ''] = call.operands
    const kind = mappingKinds.find((one) => one === named)
    if (kind === undefined) throw misuse(mappingRemove, `KIND must be one of ${mappingKinds.join(', ')}`)
    const isRemoved = await withStore(call, (store) => removeMapping(store, kind))
    if (!isRemoved) throw new Failure('data', `no mapping file of ${kind} is installed`)
    await call.print(`removed ${kind}`)
  },
}
