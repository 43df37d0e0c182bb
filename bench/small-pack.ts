type Line = Readonly<Record<string, unknown>> & { readonly type: string; readonly key?: string }

const references = {
  work: 'work',
  series: 'series',
  episode: 'episode',
  channel: 'channel',
  group: 'channel_group',
  person: 'person',
  organization: 'organization',
  character: 'character',
} as const

/** The first `count` rows of each type, without rows that refer to omitted ones. All series stay. */
export function cutPack(pack: string, count: number): string {
  const kept = new Set<string>()
  const counts = new Map<string, number>()
  const lines: string[] = []
  for (const text of pack.split('\n')) {
    if (text === '') continue
    const line: Line = JSON.parse(text)
    const before = counts.get(line.type) ?? 0
    if ((before >= count && line.type !== 'series') || named(line).some((name) => !kept.has(name))) continue
    counts.set(line.type, before + 1)
    if (line.key !== undefined) kept.add(`${line.type} ${line.key}`)
    lines.push(text)
  }
  return lines.join('\n')
}

const named = (line: Line): string[] =>
  Object.entries(references).flatMap(([field, type]) => {
    const value = line[field]
    if (line.type === 'catalogue' || value === undefined || value === null) return []
    return [value].flat().map((key) => `${type} ${key}`)
  })
