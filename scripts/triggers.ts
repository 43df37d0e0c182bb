import { readdirSync, readFileSync } from 'node:fs'
import { triggersText } from '../db/triggers/text'

/**
 * The newest migration of triggers and its text, which `bun run triggers` overwrites until it is released. After
 * that, create an empty `…_triggers.sql` with the next number; it drops the triggers of the one before.
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
