import { describe, expect, test } from 'bun:test'
import { en } from '../../../src/messages/en'
import { matchesRedirectUri, outOfBand, redirectUriProblem } from '../../../src/oauth/authorize/redirect-uri'

const https = 'https://kiroku.example'
const problemOf = (uri: string, baseUrl = https) => redirectUriProblem(uri, baseUrl)?.(en, 1)

describe('a redirect URI is not registered', () => {
  test.each([
    ['', 'characters'],
    ['/callback', 'complete URI'],
    ['client.example/callback', 'complete URI'],
    ['//client.example/callback', 'complete URI'],
    ['https:client.example', 'complete URI'],
    ['https:///client.example', 'complete URI'],
    ['https://', 'complete URI'],
    ['https://[::1/callback', 'complete URI'],
    ['HTTPS://client.example/callback', 'lower-case scheme'],
    ['https://client.example/callback#', 'fragment'],
    ['https://client.example/callback#top', 'fragment'],
    ['https://*.client.example/callback', 'wildcard'],
    ['https://client.example/*', 'wildcard'],
    ['https://mio@client.example/callback', 'user name'],
    ['https://mio:pw@client.example/callback', 'user name'],
    ['https://@client.example/callback', 'user name'],
    ['com.example.app://mio@host/callback', 'user name'],
    ['https://client.example/call back', 'characters'],
    ['https://client.example/call\nback', 'characters'],
    ['https://client.example/\u0000', 'characters'],
    ['https://client.example\\callback', 'characters'],
    ['https://client.example/記録', 'characters'],
    ['java\tscript:alert(1)', 'characters'],
    ['javascript:alert(1)', 'contains a dot'],
    ['data:text/html,x', 'contains a dot'],
    ['vbscript:x', 'contains a dot'],
    ['file:///etc/passwd', 'contains a dot'],
    ['blob:https://client.example/1', 'contains a dot'],
    ['about:blank', 'contains a dot'],
    ['myapp://callback', 'contains a dot'],
    ['myapp://callback.example', 'contains a dot'],
    ['urn:ietf:wg:oauth:2.0:oob:auto', 'contains a dot'],
    [`https://client.example/${'x'.repeat(2000)}`, '2000 characters'],
  ])('AZ-07: that is %p', (uri, rule) => expect(problemOf(uri)).toContain(rule))

  test.each([
    'http://client.example/callback',
    'http://127.1/callback',
    'http://127.0.0.1.example/callback',
    'http://192.168.1.5/callback',
    'http://localhost.example/callback',
  ])('D57: that is %p, unless the instance itself has no https', (uri) => {
    expect(problemOf(uri)).toContain('must start with https:')
    expect(problemOf(uri, 'http://kiroku.local')).toBeUndefined()
  })
})

test.each([
  outOfBand,
  'https://client.example',
  'https://client.example/callback',
  'https://client.example:8443/callback?app=1&x=%20',
  'http://127.0.0.1/callback',
  'http://127.0.0.1:8080/callback',
  'http://[::1]:8080/callback',
  'http://localhost/callback',
  'com.example.app:/callback',
  'com.example.app://callback',
])('AZ-07: %p may be registered', (uri) => expect(problemOf(uri)).toBeUndefined())

describe('a redirect URI differs from the registered one', () => {
  const registered = 'https://client.example/callback'
  test.each([
    `${registered}/more`,
    `${registered}?x=1`,
    `${registered}?`,
    `${registered}/`,
    `${registered}#`,
    `${registered}#top`,
    'https://client.example/callbac',
    'https://client.example',
    'HTTPS://client.example/callback',
    'https://Client.example/callback',
    'https://client.example/Callback',
    'https://client.example:443/callback',
    'https://client%2eexample/callback',
    'https://client.example/%63allback',
    'https://client.example/x/../callback',
    'https://mio@client.example/callback',
    'https://client.example.evil.example/callback',
    'https://evil.example/client.example/callback',
    'http://client.example/callback',
    ` ${registered}`,
    '',
  ])('AZ-04: as %p', (asked) => expect(matchesRedirectUri(registered, asked)).toBe(false))

  test.each([
    ['http://127.0.0.1/cb', 'https://127.0.0.1:8080/cb'],
    ['http://127.0.0.1/cb', 'HTTP://127.0.0.1:8080/cb'],
    ['http://127.0.0.1/cb', 'http://127.1:8080/cb'],
    ['http://127.0.0.1/cb', 'http://127.000.000.001:8080/cb'],
    ['http://127.0.0.1/cb', 'http://user@127.0.0.1:8080/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:8080@evil.example/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:8080.evil.example/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:080/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:65536/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:8080/cb/'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:8080/cb?x=1'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:8080/cb#x'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:8080/cb\n'],
    ['http://127.0.0.1/cb', 'http://localhost:8080/cb'],
    ['http://127.0.0.1/cb', 'http://[::1]:8080/cb'],
    ['http://localhost/cb', 'http://LOCALHOST:8080/cb'],
    ['http://localhost/cb', 'http://localhost.:8080/cb'],
    ['https://localhost/cb', 'https://localhost:8080/cb'],
    ['http://client.example/cb', 'http://client.example:8080/cb'],
  ])('AZ-06: for %p, as %p', (known, asked) => expect(matchesRedirectUri(known, asked)).toBe(false))
})

test.each([
  ['http://127.0.0.1/cb', 'http://127.0.0.1:49152/cb'],
  ['http://127.0.0.1:8080/cb', 'http://127.0.0.1:49152/cb'],
  ['http://127.0.0.1:8080/cb', 'http://127.0.0.1/cb'],
  ['http://[::1]/cb?x=1', 'http://[::1]:65535/cb?x=1'],
  ['http://localhost/cb', 'http://localhost:1/cb'],
  ['http://127.0.0.1', 'http://127.0.0.1:8080'],
])('AZ-06: %p is registered for %p too: the port is the system’s choice', (registered, asked) =>
  expect(matchesRedirectUri(registered, asked)).toBe(true),
)
