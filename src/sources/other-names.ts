import { fold } from '../lib/fold'

/** Names other than the title: unique regardless of width, case and kana, and neither blank nor sentences. */
export function otherNames(title: string, names: readonly string[]): readonly string[] {
  const seen = new Set([fold(title)])
  const others = names.filter((name) => {
    const folded = fold(name)
    const isNew = name.trim() !== '' && name.length <= longest && !seen.has(folded)
    seen.add(folded)
    return isNew
  })
  return others.slice(0, most)
}

const longest = 300
const most = 100
