// It has nothing for Swift to call: that it is linked is all.
