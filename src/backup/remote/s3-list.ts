import type { S3Request } from './s3-attempt'
import type { S3Client } from './s3-client'
import { notS3 } from './s3-refused'
import { entriesIn, type S3Document } from './xml'

/** Objects directly below the prefix, named without it. */
export async function listObjects(client: S3Client) {
  const { prefix } = client.settings
  const query = { 'list-type': '2', prefix, delimiter: '/' }
  const found: { readonly name: string; readonly bytes: number }[] = []
  const next = ({ texts }: S3Document) => ({ 'continuation-token': texts.NextContinuationToken ?? '' })
  for await (const page of pages(client, { method: 'GET', query }, 'ListBucketResult', next)) {
    for (const { Key: key = '', Size } of entriesIn(page, 'Contents')) {
      if (!key.startsWith(prefix) || key === prefix) continue
      found.push({ name: key.slice(prefix.length), bytes: Number(Size) || 0 })
    }
  }
  return found
}

/** `next` returns what to add to the query for the following page. */
export async function* pages(
  client: S3Client,
  request: S3Request,
  root: string,
  next: (page: S3Document) => Readonly<Record<string, string>>,
): AsyncGenerator<S3Document> {
  let query = request.query ?? {}
  for (let count = 0; count < mostPages; count += 1) {
    const page = await client.ask({ ...request, query }, root)
    yield page
    if (page.texts.IsTruncated !== 'true') return
    query = { ...query, ...next(page) }
  }
  throw notS3(client.settings, `its list has more than ${mostPages} pages`)
}

/** Each has up to 1,000 objects. */
const mostPages = 100
