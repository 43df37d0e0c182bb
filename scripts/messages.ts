type Messages = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Unused messages, such as `signIn.title`. `t.signIn.title` uses one, `t.errorTitles[` a whole group. */
export function unusedMessages(messages: Messages, sources: readonly string[]): string[] {
  const used = new Set<string>()
  for (const text of sources)
    for (const [, key = '', group = ''] of text.matchAll(/\.(?=(\w+\.\w+))|\bt\.(\w+\[)/g))
      used.add(key || group)
  return Object.entries(messages).flatMap(([group, keys]) =>
    Object.keys(keys)
      .map((key) => `${group}.${key}`)
      .filter((name) => !used.has(name) && !used.has(`${group}[`)),
  )
}
