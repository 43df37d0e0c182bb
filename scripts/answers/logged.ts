/** The sorted events in a server's output without volatile values, and how often each occurred. */
export function logSummary(printed: string): string {
  const counts = new Map<string, number>()
  for (const line of printed.trim().split('\n')) {
    const event = eventOf(line)
    counts.set(event, (counts.get(event) ?? 0) + 1)
  }
  return [...counts]
    .map(([event, count]) => `${event} × ${count}`)
    .toSorted()
    .join('\n')
}

/** Requests are recorded elsewhere, so only the types of their values are kept. */
function eventOf(line: string): string {
  if (!line.startsWith('{')) return line
  const facts: { readonly event: string } = JSON.parse(line)
  const isRequest = facts.event === 'request'
  const kept = Object.entries(facts).map(([name, value]) => {
    const isVague = isRequest ? name !== 'event' : ['time', 'id', 'ms'].includes(name)
    return [name, isVague ? typeof value : value]
  })
  return JSON.stringify(Object.fromEntries(kept))
}
