import { readdirSync, readFileSync } from 'node:fs'
import { triggersText } from '../db/triggers/text'

/**
 * The newest migration of triggers and its text: `bun run triggers` prints it anew until it is released. After that, an
 * empty `…_triggers.sql` with the next number is printed instead, which drops what the one before it made.
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
  await Bun.write(file, text)
}
