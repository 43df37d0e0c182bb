import type { Answer } from './answer'

/** Removes the words of a page or letter, keeping elements, links and field names. */
export function withoutTexts(answer: Answer): Answer {
  if (answer.kind === 'letters' && answer.request.startsWith('letter'))
    return { ...answer, body: outlineOf(answer.body) }
  if (answer.request.startsWith('log of '))
    return { ...answer, body: answer.body.replaceAll(/"why":"[^"]*"/g, '"why":""') }
  const { 'content-length': _, ...headers } = answer.headers
  const isPage = headers['content-type']?.startsWith('text/html') ?? false
  return isPage ? { ...answer, headers, body: skeletonOf(answer.body) } : answer
}

const skeletonOf = (page: string) =>
  (page.match(/<[^>]*>/g) ?? [])
    .map((tag) => tag.replace(/ (title|alt|placeholder|aria-label|content|label)="[^"]*"/g, ' $1=""'))
    .join('\n')

/** The links of a letter and its headers, except the subject and the encoding. */
function outlineOf(letter: string): string {
  const [head = '', ...text] = letter.split('\n\n')
  const lines = head.split(/\r?\n/).filter((line) => !/^(subject|content-transfer-encoding):/i.test(line))
  return [...lines, ...(text.join('\n').match(/https?:\S+/g) ?? [])].join('\n')
}
