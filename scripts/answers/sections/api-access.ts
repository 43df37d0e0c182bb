import { operationsOf, targetOf } from '../document'
import type { RecordedRequest, Recorder } from '../recorder'
import { valid } from '../values'

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']
const wrong = `kir_pat_${'A'.repeat(49)}`

/** Requests every path with different permissions, methods, slashes and request headers. */
export async function access(recorder: Recorder): Promise<void> {
  recorder.begin('access')
  const operations = await operationsOf(recorder)
  for (const path of new Set(operations.map((operation) => targetOf(operation, '999999')))) {
    for (const method of methods) await recorder.ask({ method, target: path, as: 'nodoka' })
    for (const method of ['GET', 'POST']) await recorder.ask({ method, target: `${path}/`, as: 'nodoka' })
    for (const target of [`${path}//`, `${path}.json`, `${path}/x/y`, path.toUpperCase()])
      await recorder.ask({ target, as: 'mio' })
  }
  for (const operation of operations) {
    const { method, body } = operation
    const target = targetOf(operation, '999999')
    const values = Object.fromEntries(Object.entries(valid).filter(([name]) => name in body))
    const sent =
      method === 'GET'
        ? {}
        : { body: JSON.stringify(values), headers: { 'content-type': 'application/json' } }
    for (const request of ways(target, sent)) await recorder.ask({ method, ...request })
    for (const headers of headersToTry)
      await recorder.ask({ method, target, as: 'nodoka', ...sent, headers: { ...sent.headers, ...headers } })
  }
}

const ways = (target: string, sent: Partial<RecordedRequest>): RecordedRequest[] => [
  { target, ...sent },
  { target, ...sent, as: wrong },
  { target, ...sent, as: 'mio-over' },
  { target, ...sent, as: 'mio-read' },
  { target, ...sent, as: 'mio-write' },
  { target: `${target}?access_token=${wrong}`, ...sent },
  { target: `${target}?access_token=`, ...sent },
  { target: `${target}?access_token=${wrong}`, ...sent, as: 'mio-read' },
  ...['Basic bWlvOm1pbw==', 'bearer', 'Bearer a b', 'token x'].map((authorization) => ({
    target,
    ...sent,
    headers: { ...sent.headers, authorization },
  })),
]

const headersToTry: readonly Readonly<Record<string, string>>[] = [
  { origin: 'https://client.example' },
  { origin: 'null', 'accept-language': 'ja' },
  { accept: 'text/html' },
  { 'if-none-match': '*', 'if-modified-since': 'Sun, 01 Nov 2026 12:00:00 GMT', range: 'bytes=0-1' },
  { 'accept-encoding': 'gzip' },
]
