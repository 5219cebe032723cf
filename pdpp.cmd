@echo off
node "%~dp0packages\cli\bin\pdpp.mjs" %*
