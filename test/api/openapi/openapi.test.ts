import { afterAll, describe, expect, test } from 'bun:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { openapiOperation } from '../../../src/api/openapi/openapi'
import { endpoints } from '../../../src/app'
import { ask as authorize } from '../../../src/oauth/authorize/authorize'
import { oauthEndpoints } from '../../../src/oauth/routes'
import { readDocument } from '../../support/document'
import { requiredOf } from '../../support/examples'
import { type Body, createInstance, query, targetOf } from '../../support/instance'
import { seedExamples } from '../../support/seed-library'

const documentedRoutes = [authorize, ...oauthEndpoints]
const kiroku = await createInstance({ seed: seedExamples })
const { ask, get } = kiroku
afterAll(kiroku.close)

const served = await ask('/openapi.json')
const document: Body = await served.clone().json()
const { operationOf, mismatches } = readDocument(document)

/** The linter's strict rules, and those it leaves optional: everything has a description and an example. */
const rules = createConfig({
  extends: ['recommended-strict'],
  rules: {
    'operation-singular-tag': 'error',
    'operation-tag-defined': 'error',
    'parameter-description': 'error',
    'path-params-defined': 'error',
    'scalar-property-missing-example': 'error',
    'spec-strict-refs': 'error',
    // The server is the instance's own address; here that is localhost.
    'no-server-example.com': 'off',
    'rule/parameters-have-a-schema': {
      subject: { type: 'Parameter' },
      assertions: { required: ['schema'] },
      severity: 'error',
    },
    'rule/answers-have-a-schema-and-an-example': {
      subject: { type: 'MediaType' },
      assertions: { required: ['schema', 'example'] },
      severity: 'error',
    },
  },
} as Parameters<typeof createConfig>[0])

async function lint(linted: object): Promise<string[]> {
  const source = JSON.stringify(linted)
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config: await rules })
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
}

/** The document's part about one path with the components it refers to: linting all of it takes half a second. */
function documentOfWorks(): Body {
  const copy = structuredClone(document)
  copy.paths = { '/v1/works': copy.paths['/v1/works'] }
  const { securitySchemes, ...all } = copy.components
  // Only the OAuth endpoints use that one.
  const { client: _, ...schemes } = securitySchemes
  copy.components = { securitySchemes: schemes }
  const add = (said: object) => {
    for (const [, kind = '', name = ''] of JSON.stringify(said).matchAll(/#\/components\/(\w+)\/([^"]+)/g)) {
      copy.components[kind] ??= {}
      if (name in copy.components[kind]) continue
      copy.components[kind][name] = all[kind][name]
      add(all[kind][name])
    }
  }
  add(copy.paths)
  return copy
}

/** The same document with a change. */
function changed(change: (copy: Body) => void): object {
  const copy = documentOfWorks()
  change(copy)
  return copy
}

const works = (copy: Body) => copy.paths['/v1/works'].get
const answer = (operation: Body) => operation.responses['200'].content['application/json']

describe('the linter', () => {
  test.each<[string, (copy: Body) => void]>([
    ['an operationId', (copy) => delete works(copy).operationId],
    ['a summary', (copy) => delete works(copy).summary],
    ["a parameter's description", (copy) => delete works(copy).parameters[0].description],
    ["a parameter's schema", (copy) => delete works(copy).parameters[0].schema],
    ["an answer's schema", (copy) => delete answer(works(copy)).schema],
    ["an answer's example", (copy) => delete answer(works(copy)).example],
    ["a field's example", (copy) => delete copy.components.schemas.Work.properties.title.examples],
    ['a named schema', (copy) => delete copy.components.schemas.Work],
    ["a field of an answer's example", (copy) => delete answer(works(copy)).example.works[0].title],
    ['the licence', (copy) => delete copy.info.license],
    ['every use of a header', (copy) => (copy.components.headers.Unused = { schema: { type: 'string' } })],
  ])('notices that %s is missing', async (_, change) => {
    expect(await lint(changed(change))).not.toEqual([])
  })

  test('accepts the document, and the part of it that is changed above', async () => {
    expect(await lint(document)).toEqual([])
    expect(await lint(documentOfWorks())).toEqual([])
  })
})

describe('/openapi.json', () => {
  test('is JSON that any page may read, and says which server and dialect it describes (D1)', () => {
    expect(served.status).toBe(200)
    expect(served.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(served.headers.get('access-control-allow-origin')).toBe('*')
    expect(document.openapi).toBe('3.1.0')
    expect(document.info.title).toBe('kiroku API')
    expect(document.info.description).toContain('Annict’s v1 dialect')
    expect(document.servers).toEqual([{ url: 'http://localhost:3000' }])
    // Stated once, and in no operation.
    expect(document.security).toEqual([{ bearer: [] }, { access_token: [] }])
    expect(JSON.stringify(document.paths)).not.toContain('"access_token":[')
  })

  test('refers to nothing outside itself', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, ref = '']) => ref)
    expect(references.filter((ref) => !ref.startsWith('#/components/'))).toEqual([])
  })

  test('has every endpoint, PUT as well as PATCH, and no others (D6)', () => {
    const documented = Object.entries<object>(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const declared = [...endpoints, ...documentedRoutes].flatMap(({ method, path }) =>
      (method === 'PATCH' ? ['PATCH', 'PUT'] : [method]).map(
        (one) => `${one} ${path.replace(/:([a-z_]+)/g, '{$1}')}`,
      ),
    )
    expect(documented.sort()).toEqual(declared.sort())
  })

  test('names the objects of an activity, even where they may be absent', () => {
    const { items } = answer(document.paths['/v1/activities'].get).schema.properties.activities
    const { record, review, episode } = items.properties
    expect([record, review, episode].map(({ $ref }) => $ref)).toEqual(
      ['Record', 'Review', 'Episode'].map((name) => `#/components/schemas/${name}`),
    )
    expect(items.required).not.toContain('review')
  })

  test('describes every field and gives an example', () => {
    expect(undescribed(document.components.schemas, '')).toEqual([])
    for (const { method, path } of endpoints) {
      const { responses } = operationOf(method, path)
      expect(undescribed(responses, path)).toEqual([])
    }
  })
})

/** The paths of scalar fields without a description or an example. */
function undescribed(node: Body, at: string): string[] {
  if (typeof node !== 'object' || node === null) return []
  if ('example' in node && 'schema' in node) return undescribed(node.schema, at)
  const own = Object.entries<Body>(node.properties ?? {}).flatMap(([name, field]) => {
    const scalar = field.anyOf?.[0] ?? field
    if (!/^(?:string|integer|number|boolean)$/.test(scalar.type ?? '')) return []
    return scalar.description && scalar.examples?.length ? [] : [`${at}.${name}`]
  })
  return [...own, ...Object.entries(node).flatMap(([name, inside]) => undescribed(inside, `${at}.${name}`))]
}

/** An operation's parameters in a form; JSON has more types for them. */
const askedOf = ({ parameters, requestBody }: Body): [string, string, Body][] => [
  ...parameters.map((one: Body) => [one.name, one.in, one.schema]),
  ...Object.entries<Body>(
    (requestBody?.content['application/x-www-form-urlencoded'] ?? requestBody?.content['multipart/form-data'])
      ?.schema.properties ?? {},
  ).map(([name, schema]) => [name, 'body', schema] as [string, string, Body]),
]

/** Not `access_token`: generated clients send a token in every way that an operation names. */
const ways = ['bearer', 'oauth2']

for (const endpoint of endpoints) {
  const { method, path, scope, operation } = endpoint
  describe(`the documentation of ${method} ${path}`, async () => {
    const documented = operationOf(method, path)
    const { schema, example } = documented.responses['200']?.content['application/json'] ?? {}

    test('is what the endpoint declares', () => {
      const names = askedOf(documented).map(([name]) => name)
      expect(names).toEqual(Object.keys(operation.params))
      expect(documented.security).toEqual(ways.map((way) => ({ [way]: [scope] })))
      expect(documented.description).toEndWith(`Requires a token with the scope \`${scope}\`.`)
      expect(Object.keys(documented.responses)).toEqual(
        expect.arrayContaining([String(operation.answer.status), '400', '401', '403', '429', '500', '503']),
      )
    })

    test('has examples that the endpoint accepts', async () => {
      for (const [name, place, kind] of askedOf(documented)) {
        expect([name, mismatches(kind, kind.examples[0])]).toEqual([name, []])
        if (place !== 'path' && endpoint.upload === undefined) {
          kiroku.store.handle.run('delete from feeds where id > 1') // five at most
          const params = { ...requiredOf(endpoint, name), [name]: String(kind.examples[0]) }
          const asked = await get(targetOf(path) + query(params), { method })
          expect([name, asked.status === 400]).toEqual([name, false])
        }
      }
    })

    if (schema === undefined) return

    test('has a valid example of its response', () => {
      expect(mismatches(schema, example)).toEqual([])
      expect(mismatches(schema, { ...example, another: 1 })).not.toEqual([])
      for (const [name, inside] of Object.entries(example)) {
        expect(mismatches(schema, { ...example, [name]: undefined })).not.toEqual([])
        expect(mismatches(schema, { ...example, [name]: { inside } })).not.toEqual([])
      }
    })

    test('describes what the endpoint really returns, field by field', async () => {
      const response = await get(targetOf(path) + query(requiredOf(endpoint)), { method })
      expect(response.status).toBe(200)
      expect(mismatches(schema, await response.json())).toEqual([])
      if (!operation.params.page) return
      const seventh = await get(targetOf(path) + query({ ...requiredOf(endpoint), page: '7' }))
      expect(mismatches(schema, await seventh.json())).toEqual([])
    })

    test('says where `fields` is explained, and that it leaves out the rest (D16)', async () => {
      const said = 'With `fields`, only the selected fields are returned, although the schema requires all.'
      const [, , fields] = askedOf(documented).find(([name]) => name === 'fields') ?? []
      const described =
        fields?.description ?? documented.parameters.find(({ name }: Body) => name === 'fields').description
      expect(described).toEndWith(said)
      expect(documented.responses['200'].description).toEndWith(said)
      kiroku.store.handle.run("update statuses set kind = 'watching'") // ended by `POST /v1/me/past`
      const target = targetOf(path) + query({ ...requiredOf(endpoint), fields: 'id' })
      const response = await get(target, { method })
      expect(mismatches(schema, await response.json())).not.toEqual([])
    })
  })
}

test('a path parameter is documented as one', () => {
  const params = Object.fromEntries(Object.entries(endpoints[0]?.operation.params ?? {}).slice(0, 1))
  const [[name = ''] = []] = Object.entries(params)
  const answered = { status: 204, description: 'Done' } as const
  const operation = { summary: 's', tag: 'Works', params, answer: answered, errors: ['not_found'] } as const
  const made: Body = openapiOperation('DELETE', `/v1/me/things/:${name}`, 'write', operation, [])
  expect(made.parameters).toMatchObject([{ name, in: 'path', required: true }])
  expect(made.operationId).toBe('deleteMeThingsByFields')
  expect(Object.keys(made.responses)).toEqual(expect.arrayContaining(['204', '404']))
})
