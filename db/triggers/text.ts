import type { Database } from 'bun:sqlite'
import { audienceTriggers } from './audiences'
import { counterTriggers } from './counters'
import { dependentVersionTriggers, hiddenTriggers, versionTriggers } from './versions'
import { withheldTriggers } from './withheld'

export interface TriggerSection {
  readonly about: string
  /** Each creates a trigger. */
  readonly statements: readonly string[]
  /** They have to be created after those of the section before that are on the same table: SQLite runs the last one first. */
  readonly areLater?: boolean
}

export const declaredTriggers = (): readonly TriggerSection[] => [
  { about: 'Who sees what people wrote (D72).', statements: audienceTriggers() },
  // What a change moves is counted before its level follows.
  { about: 'Columns that count the rows of another table.', statements: counterTriggers(), areLater: true },
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
 * nothing else but what has to come after it. Empty if nothing does. `printed`: the earlier such migrations, whose
 * triggers may be dropped.
 */
export function triggersText(
  handle: Database,
  printed: readonly string[],
  declared = declaredTriggers(),
): string {
  const existing = handle
    .query<Created, []>("select type, name, sql from sqlite_schema where type in ('trigger', 'view')")
    .all()
  const wanted = new Set(declared.flatMap(({ statements }) => statements.map(nameOf)))
  const ours = new Set([...wanted, ...printed.flatMap(namesIn)])
  const sections = newOnes(declared, new Set(existing.map(({ sql }) => bodyOf(sql))))
  const created = new Set(sections.flatMap(({ statements }) => statements.map(nameOf)))
  const drops = existing
    .filter(({ name }) => ours.has(name) && (created.has(name) || !wanted.has(name)))
    .map(({ type, name }) => `drop ${type} ${name};\n`)
  const texts = sections
    .filter(({ statements }) => statements.length > 0)
    .map(({ about, statements }) => `-- ${about}\n\n${statements.join('\n')}`)
  if (drops.length + texts.length === 0) return ''
  return [header, ...(drops.length === 0 ? [] : [drops.join('')]), ...texts].join('\n')
}

/** Those that are not there yet, and those that have to be created after one of them. */
function newOnes(
  declared: readonly TriggerSection[],
  bodies: ReadonlySet<string>,
): readonly TriggerSection[] {
  let above: ReadonlySet<string> = new Set()
  return declared.map((section) => {
    const statements = section.statements.filter(
      (sql) => !bodies.has(bodyOf(sql)) || (section.areLater && above.has(tableOf(sql))),
    )
    above = new Set(statements.map(tableOf))
    return { ...section, statements }
  })
}

const header = '-- Printed from db/facts by `bun run triggers`, and not to be changed by hand.\n'

interface Created {
  readonly type: 'trigger' | 'view'
  readonly name: string
  readonly sql: string
}

const create = /^create (?:trigger|view) (\w+)/gim

const namesIn = (text: string) => [...text.matchAll(create)].map(([, name = '']) => name)

/** Of a view nothing. */
const tableOf = (sql: string) => /^create trigger[^;]*? on (\w+)/i.exec(sql)?.[1] ?? ''

const nameOf = (sql: string) => namesIn(sql)[0] ?? ''

/** SQLite keeps a definition as it was written, with its first two words in capitals and without the last semicolon. */
const bodyOf = (sql: string) => sql.replace(/^create \w+ /i, '').replace(/;\s*$/, '')
