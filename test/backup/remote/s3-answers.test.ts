import { afterAll, expect, test } from 'bun:test'
import { s3Destination } from '../../../src/backup/remote/s3-destination'
import { hurriedWorld } from '../../support/s3'
import { createWebSite } from '../../support/web-site'

let answer = ''
const site = createWebSite(() => new Response(answer, { headers: { 'content-type': 'application/xml' } }))
afterAll(site.stop)

const bucket = s3Destination(
  {
    ...{ endpoint: site.at('127.0.0.1', ''), region: 'us-east-1', bucket: 'backups', prefix: '' },
    ...{ accessKeyId: 'key', secretAccessKey: 'secret' },
  },
  hurriedWorld,
)

const list = (content: string, before = '') =>
  `<?xml version="1.0" encoding="UTF-8"?>${before}<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</ListBucketResult>`
const object = (key: string) => `<Contents><Key>${key}</Key><Size>3</Size></Contents>`
const nested = (levels: number) => '<a>'.repeat(levels) + '</a>'.repeat(levels)

test.each([
  ['an entity of its own', list(object('&lol;'), '<!DOCTYPE a [<!ENTITY lol "lol">]>')],
  [
    'entities that grow',
    list(
      object('&c;'),
      `<!DOCTYPE a [<!ENTITY a "${'a'.repeat(100)}"><!ENTITY b "${'&a;'.repeat(100)}"><!ENTITY c "${'&b;'.repeat(100)}">]>`,
    ),
  ],
  ['a file of this machine', list(object('&x;'), '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>')],
  ['a document type elsewhere', list(object('a'), '<!DOCTYPE a SYSTEM "http://127.0.0.1:1/a.dtd">')],
  ['a document type in its middle', list(`<!DOCTYPE a>${object('a')}`)],
  ['an unknown entity', list(object('a&nbsp;b'))],
  ['a bare &', list(object('a & b'))],
  ['an element that does not end', list('<Contents><Key>a</Key>')],
  ['elements that end in another order', list('<Contents><Key>a</Contents></Key>')],
  ['its end cut off', list(object('a')).slice(0, -5)],
  ['two roots', list(object('a')) + list(object('b'))],
  ['nine levels', list(nested(8))],
  ['100,000 levels', list(nested(100_000))],
  ['a name of 1.1 MB', list(object('a'.repeat(1_100_000)))],
  ['a comment that does not end', list('<!--')],
  ['no text at all', ''],
  ['a byte for every kind of text', String.fromCharCode(...Array(256).keys())],
])('a list with %s is none', async (_, text) => {
  answer = text
  expect(await bucket.list().catch((cause) => cause.message)).toContain('is no S3 server')
})

test('a list is read with the entities of XML, and without what servers add', async () => {
  const owner = '<Owner><ID>1</ID><DisplayName>mio</DisplayName></Owner>'
  answer = list(
    [
      '<Name>backups</Name><!-- <Contents/> --><IsTruncated>false</IsTruncated>\n',
      `<Contents><Key>a&amp;b&lt;&gt;&quot;&apos;&#12354;&#x3042;</Key>${owner}<Size>1</Size></Contents>`,
      `<Contents>\n  <Size>2</Size>\n  <Key>c<![CDATA[ d]]></Key>\n</Contents>`,
      '<CommonPrefixes><Prefix>e/</Prefix></CommonPrefixes>',
      nested(7),
    ].join(''),
  )
  expect(await bucket.list()).toEqual([
    { name: 'a&b<>"\'ああ', bytes: 1 },
    { name: 'c d', bytes: 2 },
  ])
})

test('a list of a thousand objects is read whole', async () => {
  answer = list(Array.from({ length: 1000 }, (_, n) => object(`object-${n}`)).join(''))
  expect(await bucket.list()).toHaveLength(1000)
})

test('objects are asked for as they are: a proxy on the way is not to compress them', async () => {
  site.asked.length = 0
  answer = list('')
  await bucket.list()
  expect(site.asked.map(({ headers }) => headers.get('accept-encoding'))).toEqual(['identity'])
})
