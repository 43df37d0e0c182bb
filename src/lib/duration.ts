/** The milliseconds a text such as `30d`, `12h`, `90m` or `45s` stands for; undefined when it is none of these. */
export function parseDuration(text: string): number | undefined {
  const [, count = '', unit = ''] = /^([1-9][0-9]{0,9})([smhd])$/.exec(text) ?? []
  const length = unitLengths.get(unit)
  return length === undefined ? undefined : Number(count) * length
}

const unitLengths = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
])
