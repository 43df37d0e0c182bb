/** What people type, such as `2016-3`, `2016/03/05`, `２０１６年３月` or `2016.3.5`, as `partialDate` has it; other text as it is. */
export function typedDate(text: string): string {
  const plain = text.normalize('NFKC').trim()
  const [, year, month, day] =
    /^(\d{4})(?:年|(?:[-/.]|年)(\d{1,2})(?:月|(?:[-/.]|月)(\d{1,2})日?)?)?$/.exec(plain) ?? []
  const parts = [year, month?.padStart(2, '0'), day?.padStart(2, '0')]
  return year === undefined ? plain : parts.filter((part) => part !== undefined).join('-')
}
