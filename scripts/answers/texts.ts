import type { Answer } from './answer'

/** An answer without the words of its page or letter: the elements, links and names of fields are left. */
export function withoutTexts(answer: Answer): Answer {
  if (answer.kind === 'letters' && answer.request.startsWith('letter'))
    return { ...answer, body: outlineOf(answer.body) }
  if (answer.request.startsWith('log of '))
    return { ...answer, body: answer.body.replaceAll(/"why":"[^"]*"/g, '"why":""') }
  const { 'content-length': _, ...headers } = answer.headers
  const isPage = headers['content-type']?.startsWith('text/html') ?? false
  return isPage ? { ...answer, headers, body: skeletonOf(answer.body) } : answer
}

/** The tags of a page, each on a line, without the attributes that are read out or shown. */
const skeletonOf = (page: string) =>
  (page.match(/<[^>]*>/g) ?? [])
    .map((tag) => tag.replace(/ (title|alt|placeholder|aria-label|content|label)="[^"]*"/g, ' $1=""'))
    .join('\n')

/** The headers of a letter but its subject and how it is encoded, and its links. */
function outlineOf(letter: string): string {
  const [head = '', ...text] = letter.split('\n\n')
  const lines = head.split(/\r?\n/).filter((line) => !/^(subject|content-transfer-encoding):/i.test(line))
  return [...lines, ...(text.join('\n').match(/https?:\S+/g) ?? [])].join('\n')
}
