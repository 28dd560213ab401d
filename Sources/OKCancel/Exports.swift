// `import OKCancel` brings the vocabulary of prompts with it: a program that makes a server makes prompts.
@_exported public import Prompts
