import type { Database } from 'bun:sqlite'
import { audienceTriggers } from './audiences'
import { counterTriggers } from './counters'
import { dependentVersionTriggers, hiddenTriggers, versionTriggers } from './versions'
import { withheldTriggers } from './withheld'

export interface TriggerSection {
  readonly about: string
  /** Each creates a trigger. */
  readonly statements: readonly string[]
}

export const declaredTriggers = (): readonly TriggerSection[] => [
  // First, as SQLite runs the triggers of a change from the last one on: what a change moves is counted before its level follows.
  { about: 'Who sees what people wrote (D72).', statements: audienceTriggers() },
  { about: 'Columns that count the rows of another table.', statements: counterTriggers() },
  {
    about: 'Rows of a work are hidden with it: the guards refuse a row that disagrees with its work.',
    statements: hiddenTriggers(),
  },
  {
    about: 'A change that does not raise the version of its row has it raised here.',
    statements: versionTriggers(),
  },
  { about: 'Versions that grow with a change of another table.', statements: dependentVersionTriggers() },
  {
    about: 'Casts and staff are withheld while something they refer to is hidden.',
    statements: withheldTriggers(),
  },
]

/**
 * A migration that makes a database's triggers those declared in db/facts: drops and creates what differs, and
 * nothing else. Empty if nothing does. `printed`: the earlier such migrations, whose triggers may be dropped.
 */
export function triggersText(
  handle: Database,
  printed: readonly string[],
  declared = declaredTriggers(),
): string {
  const existing = handle
    .query<Created, []>("select type, name, sql from sqlite_schema where type in ('trigger', 'view')")
    .all()
  const bodies = new Map(existing.map(({ name, sql }) => [name, bodyOf(sql)]))
  const wanted = new Map(
    declared.flatMap(({ statements }) => statements).map((sql) => [nameOf(sql), bodyOf(sql)]),
  )
  const ours = new Set([...wanted.keys(), ...printed.flatMap(namesIn)])
  const drops = existing
    .filter(({ name }) => ours.has(name) && bodies.get(name) !== wanted.get(name))
    .map(({ type, name }) => `drop ${type} ${name};\n`)
  const sections = declared
    .map(({ about, statements }) => ({
      about,
      statements: statements.filter((sql) => bodies.get(nameOf(sql)) !== bodyOf(sql)),
    }))
    .filter(({ statements }) => statements.length > 0)
    .map(({ about, statements }) => `-- ${about}\n\n${statements.join('\n')}`)
  if (drops.length + sections.length === 0) return ''
  return [header, ...(drops.length === 0 ? [] : [drops.join('')]), ...sections].join('\n')
}

const header = '-- Printed from db/facts by `bun run triggers`, and not to be changed by hand.\n'

interface Created {
  readonly type: 'trigger' | 'view'
  readonly name: string
  readonly sql: string
}

const create = /^create (?:trigger|view) (\w+)/gim

const namesIn = (text: string) => [...text.matchAll(create)].map(([, name = '']) => name)

const nameOf = (sql: string) => namesIn(sql)[0] ?? ''

/** SQLite keeps a definition as it was written, with its first two words in capitals and without the last semicolon. */
const bodyOf = (sql: string) => sql.replace(/^create \w+ /i, '').replace(/;\s*$/, '')
