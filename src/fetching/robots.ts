/** Whether robots.txt bars everybody, or us, by a plain `Disallow: /` (RFC 9309); ignores rules about paths. */
export function forbidsAll(text: string): boolean {
  const groups: { readonly agents: string[]; readonly rules: string[] }[] = []
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, name = '', value = ''] = /^\s*([A-Za-z-]+)\s*:\s*([^#]*?)\s*(?:#.*)?$/.exec(line) ?? []
    const current = groups.at(-1)
    if (/^user-agent$/i.test(name)) {
      if (current === undefined || current.rules.length > 0)
        groups.push({ agents: [value.toLowerCase()], rules: [] })
      else current.agents.push(value.toLowerCase())
    } else if (/^(?:dis)?allow$/i.test(name)) current?.rules.push(`${name.toLowerCase()} ${value}`)
  }
  const own = groups.filter(({ agents }) => agents.includes('kiroku'))
  const ours = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*'))
  const rules = ours.flatMap((group) => group.rules)
  return rules.includes('disallow /') && !rules.includes('allow /')
}
