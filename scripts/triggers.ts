import { Database } from 'bun:sqlite'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { triggersText } from '../db/triggers/text'
import { migrate } from '../src/db/migrate'
import { released } from '../test/support/released'

const folder = 'db/migrations'

export interface TriggerMigration {
  readonly file: string
  /** Empty if the earlier migrations leave exactly the declared triggers: the file is not needed. */
  readonly text: string
}

/**
 * The last migration, if it is a printed one and not released; otherwise one with the next number, so that it follows
 * the migrations that add the columns. `texts`: all migrations by name.
 */
export async function newestTriggers(texts = migrationTexts()): Promise<TriggerMigration> {
  const names = Object.keys(texts).sort()
  const last = names.at(-1) ?? '0000'
  const next = Number(last.slice(0, 4)) + 1
  const name = isPrinted(last) && !isReleased(last) ? last : `${String(next).padStart(4, '0')}_triggers`
  const earlier = names.filter((other) => other < name)
  using handle = new Database(':memory:')
  await migrate(handle, Object.fromEntries(earlier.map((other) => [other, texts[other] ?? ''])))
  const printed = earlier.filter(isPrinted).map((other) => texts[other] ?? '')
  return { file: `${folder}/${name}.sql`, text: triggersText(handle, printed) }
}

/** What `bun run check` says of it. */
export async function triggerProblems(): Promise<string[]> {
  const { file, text } = await newestTriggers()
  if (text === '' && existsSync(file)) return [`${file}: ${needless}`]
  const isAsPrinted = text === (existsSync(file) ? readFileSync(file, 'utf8') : '')
  return isAsPrinted ? [] : [`${file}: not what db/facts say; run \`bun run triggers\``]
}

const migrationTexts = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder).map((file) => [
      file.replace(/\.sql$/, ''),
      readFileSync(`${folder}/${file}`, 'utf8'),
    ]),
  )

const isPrinted = (name: string) => name.endsWith('_triggers')

const isReleased = (name: string) => released.some(({ digests }) => name in digests)

const needless =
  'the earlier migrations already create the triggers that db/facts declare; remove it, and its name from src/db/migrations.ts'

if (import.meta.main) {
  const { file, text } = await newestTriggers()
  if (text !== '') {
    const isNew = !existsSync(file)
    await Bun.write(file, text)
    if (isNew) console.log(`${file} is new: name it in src/db/migrations.ts`)
  } else if (existsSync(file)) {
    console.error(`${file}: ${needless}`)
    process.exit(1)
  }
}
