#!/usr/bin/env node
import('./launch.mjs').then(({ launch }) => launch('main'))
