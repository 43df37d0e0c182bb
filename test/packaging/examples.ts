import type { Directory } from '../support/kiroku'
import { type Example, has, type Ports, packaged } from './proxy'

/** The examples in `packaging/`, with the ports and certificates of a test. */
export function installedExamples(): readonly Example[] {
  return [
    ...(has('caddy') ? [caddyAtRoot, caddyBelowPath, caddyOfCompose] : []),
    ...(has('nginx') ? [nginxAtRoot, nginxBelowPath] : []),
  ]
}

const caddyAtRoot: Example = {
  name: 'packaging/Caddyfile',
  path: '',
  command: (ports, directory) => caddy(packaged('Caddyfile'), 'kiroku.example.com', ports, directory),
}

const caddyBelowPath: Example = {
  name: 'packaging/Caddyfile.path',
  path: '/kiroku',
  command: (ports, directory) => caddy(packaged('Caddyfile.path'), 'example.com', ports, directory),
}

/** On a single machine the service has another address than in its network. */
const caddyOfCompose: Example = {
  name: 'packaging/compose.yaml',
  path: '',
  command: (ports, directory) => {
    const { configs } = Bun.YAML.parse(packaged('compose.yaml')) as ComposeFile
    const file = changedIn(`\n${configs.caddyfile.content}`, [
      [/\$\{KIROKU_BASE_URL:-https:\/\/localhost\}/, 'kiroku.example.com'],
      ['kiroku:3000', '127.0.0.1:3000'],
    ])
    return caddy(file, 'kiroku.example.com', ports, directory)
  },
}

interface ComposeFile {
  readonly configs: { readonly caddyfile: { readonly content: string } }
}

const nginxAtRoot: Example = {
  name: 'packaging/nginx.conf',
  path: '',
  command: (ports, directory) => nginx(packaged('nginx.conf'), ports, directory),
}

const nginxBelowPath: Example = {
  name: 'packaging/nginx-path.conf',
  path: '/kiroku',
  command: (ports, directory) => {
    const server = `listen 443 ssl http2;\nserver_name example.com;\nssl_certificate a;\nssl_certificate_key b;`
    return nginx(`server {\n${server}\n${packaged('nginx-path.conf')}}\n`, ports, directory)
  },
}

async function caddy(file: string, host: string, ports: Ports, directory: Directory) {
  const global = `{\nadmin off\nhttp_port ${ports.http}\nhttps_port ${ports.https}\nlocal_certs\nskip_install_trust\n}\n`
  const changed = changedIn(file, [
    [`\n${host} {`, '\nlocalhost {'],
    ['127.0.0.1:3000', `127.0.0.1:${ports.kiroku}`],
  ])
  await Bun.write(directory.file('Caddyfile'), global + changed)
  return ['caddy', 'run', '--config', directory.file('Caddyfile'), '--adapter', 'caddyfile']
}

async function nginx(servers: string, ports: Ports, directory: Directory) {
  const [certificate, key] = [directory.file('certificate.pem'), directory.file('key.pem')]
  const openssl = ['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  const made = ['-nodes', '-subj', '/CN=localhost', '-days', '2', '-keyout', key, '-out', certificate]
  await Bun.spawn([...openssl, ...made], { stdout: 'ignore', stderr: 'ignore' }).exited
  const changed = changedIn(servers, [
    [/listen (\[::\]:)?443 .*;/g, `listen 127.0.0.1:${ports.https} ssl http2;`],
    [/ssl_certificate .*;/g, `ssl_certificate ${certificate};`],
    [/ssl_certificate_key .*;/g, `ssl_certificate_key ${key};`],
    ['127.0.0.1:3000', `127.0.0.1:${ports.kiroku}`],
  ])
    .replace(/listen 80;/, `listen 127.0.0.1:${ports.http};`)
    .replace(/ *listen \[::\]:80;\n/, '')
    .replace(/(listen 127.0.0.1:\d+ ssl http2;)\s+listen .*/, '$1')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${directory.file(name)};\n`,
  )
  const http = `events {}\nhttp {\naccess_log off;\n${temporary.join('')}${changed}}\n`
  const user = process.geteuid?.() === 0 ? 'user root;\n' : ''
  await Bun.write(directory.file('nginx.conf'), `${user}daemon off;\npid ${directory.file('pid')};\n${http}`)
  return ['nginx', '-e', 'stderr', '-c', directory.file('nginx.conf')]
}

/** Throws if a replacement changes nothing, because the example has changed. */
function changedIn(text: string, replacements: readonly (readonly [string | RegExp, string])[]): string {
  return replacements.reduce((before, [from, to]) => {
    const after = before.replaceAll(typeof from === 'string' ? from : new RegExp(from, 'g'), to)
    if (after === before) throw new Error(`the example has no ${from}`)
    return after
  }, text)
}
