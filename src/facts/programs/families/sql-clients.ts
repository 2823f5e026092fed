import type { Family } from '../program.ts'

/** Clients of databases of which only is known where their words have statements. */
export const sqlClients: Family = {
  programs: {
    'iredis dragonfly-cli kvrocks-cli': { store: 'redis' },
    arangosh: { store: 'mongo' },
    'ysqlsh vsql nzsql gsql edbpsql rsql': {
      sql: {
        options: 'c command',
        valued:
          'd dbname f file h host p port U username v set variable o output L log-file F field-separator P pset R record-separator T table-attr',
        hosts: 'h host',
      },
    },
    'tidb ob-client obclient': {
      sql: {
        options: 'e execute',
        valued:
          'h host u user P port D database S socket protocol default-character-set ssl-ca ssl-cert ssl-key defaults-file defaults-extra-file init-command',
        hosts: 'h host',
      },
    },
    mysqlslap: { sql: { options: 'q query', valued: 'h u p' } },
    'sqlite-utils': { sql: { from: 2, ofFile: true } },
    litecli: { sql: { options: 'e execute', from: 1, ofFile: true } },
    sqlcipher: { sql: { options: 'cmd', from: 1, ofFile: true, oneDash: true } },
    libsql: { sql: { from: 1, ofFile: true } },
    mssql: { sql: { options: 'q query Q', valued: 'S U P d s u p' } },
    'mssql-cli': { sql: { options: 'Q query', valued: 'S U P d' } },
    tsql: { sql: { valued: 'S H p U P D' } },
    'sql bteq isql-fb monetdb osqueryi questdb': { sql: {} },
    db2: { sql: { from: 0 } },
    hdbsql: { sql: { from: 0, valued: 'n i u p d I o U A' } },
    mclient: { sql: { options: 's statement', valued: 'd database u user h host p port' } },
    'clickhouse-local': { sql: { options: 'q query', ofFile: true, valued: 'd file structure format' } },
    chdb: { sql: { from: 0, ofFile: true } },
    'spark-sql': { sql: { options: 'e', valued: 'f conf master database packages jars' } },
    impala: { sql: { options: 'q query', valued: 'i f d' } },
    'impala-shell': { sql: { options: 'q query', valued: 'i f d o impalad' } },
    'presto-cli trino-cli': { sql: { options: 'execute', valued: 'server catalog schema user file' } },
    dremio: { sql: { options: 'q' } },
    exaplus: { sql: { options: 'sql', valued: 'c u p f s', oneDash: true } },
    'influxdb3 steampipe': { sql: { from: 1, behind: 'query' } },
    ksql: { sql: { options: 'e execute', valued: 'f file' } },
    'cypher-shell': { sql: { from: 0, valued: 'a u p d f P address username password database format param' } },
    mgconsole: { sql: { valued: 'host port username password' } },
    taos: { sql: { options: 's' } },
  },
  examples: {
    'cypher-shell "MATCH (n:User) DETACH DELETE n"': 'deletes all rows, for good',
    'cypher-shell "MATCH (n:User {id: 3}) DETACH DELETE n"': '',
    'cypher-shell "MATCH (n) RETURN n"': '',
    'cypher-shell "MATCH (n) WHERE n.age > 3 DELETE n"': '',
    'echo "MATCH (n) DETACH DELETE n;" | mgconsole': 'deletes all rows, for good',
  },
}
