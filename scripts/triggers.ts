import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { triggersText } from '../db/triggers/text'
import { released } from '../test/support/released'

/**
 * The newest trigger migration and its text, which `bun run triggers` overwrites until it is released. To replace a
 * released one, create an empty `…_triggers.sql` with the next number, which drops its predecessor's triggers.
 */
export function newestTriggers(): { readonly file: string; readonly text: string } {
  const files = readdirSync('db/migrations')
    .filter((name) => name.endsWith('_triggers.sql'))
    .sort()
    .map((name) => `db/migrations/${name}`)
  const earlier = files.slice(0, -1).map((file) => readFileSync(file, 'utf8'))
  return { file: files.at(-1) ?? '', text: triggersText(...earlier) }
}

if (import.meta.main) {
  const { file, text } = newestTriggers()
  const name = basename(file, '.sql')
  const by = released.find(({ digests }) => name in digests)
  if (by !== undefined && readFileSync(file, 'utf8') !== text) {
    console.error(
      `${file} was released with kiroku ${by.version}: create an empty …_triggers.sql with the next number, name it in src/db/migrations.ts, and run this again`,
    )
    process.exit(1)
  }
  await Bun.write(file, text)
}
